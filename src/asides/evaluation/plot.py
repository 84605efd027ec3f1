"""The curve as a picture: in characters for a terminal, and as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from asides.evaluation.curve import Point
from asides.evaluation.shares import Share

WIDE, HIGH = 60, 16  # characters of the plot's inside
_WIDTH, _HEIGHT, _EDGE = 560, 400, 56  # pixels


def drawn(points: Sequence[Point], *, live_threshold: float, floor: float) -> str:
    """Returns precision (up) against what is captured (right), one mark a threshold: L live, F floor."""
    rows = [[" "] * (WIDE + 1) for _ in range(HIGH + 1)]
    for point in sorted(points, key=lambda one: one.threshold in (live_threshold, floor)):
        up = precision(point).share
        right = point.captured.share
        if up is None or right is None:
            continue
        mark = "L" if point.threshold == live_threshold else "F" if point.threshold == floor else "·"
        rows[HIGH - round(up * HIGH)][round(right * WIDE)] = mark
    lines = [f"{_label(n)} │{''.join(row).rstrip()}" for n, row in enumerate(rows)]
    ruler = "     └" + "─" * (WIDE + 1)
    scale = "      0%" + "50%".center(WIDE - 4) + "100%"
    return "\n".join([*lines, ruler, scale])


def precision(point: Point) -> Share:
    """Returns the precision that is drawn: of turns as they come, else of all."""
    return point.precision_random if point.precision_random.of else point.precision_all


def _label(row: int) -> str:
    return {0: "100%", HIGH // 2: " 50%", HIGH: "  0%"}.get(row, "    ")


def svg(points: Sequence[Point], *, title: str, live_threshold: float, floor: float) -> str:
    """Returns the curve as an SVG picture: both precisions with their intervals, the thresholds named."""
    body = [
        f'<text x="{_WIDTH / 2}" y="24" text-anchor="middle" font-size="14">{escape(title)}</text>',
        *_axes(),
        *_line(points, "all", "#8a8a8a"),
        *_line(points, "random", "#1f6feb"),
        _legend(0, "precision, turns as they come", "#1f6feb"),
        _legend(1, "precision, all turns", "#8a8a8a"),
    ]
    for point in points:
        name = "live" if point.threshold == live_threshold else "floor" if point.threshold == floor else ""
        found = precision(point)
        if name and found.share is not None and point.captured.share is not None:
            x, y = _x(point.captured.share), _y(found.share)
            body.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="none" stroke="#d1242f" stroke-width="2"/>'
                f'<text x="{x + 8:.1f}" y="{y - 8:.1f}">{name} {point.threshold:.2f}</text>'
            )
    inner = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" fill="white"/>\n'
        f"{inner}\n</svg>\n"
    )


def _x(captured: float) -> float:
    return _EDGE + captured * (_WIDTH - 2 * _EDGE)


def _y(share: float) -> float:
    return _HEIGHT - _EDGE - share * (_HEIGHT - 2 * _EDGE)


def _axes() -> list[str]:
    parts = []
    for n in range(0, 101, 20):
        x, y = _x(n / 100), _y(n / 100)
        parts.append(
            f'<path d="M{_x(0)} {y:.1f}H{_x(1)}M{x:.1f} {_y(0)}V{_y(1)}" stroke="#e5e5e5"/>'
            f'<text x="{_x(0) - 6}" y="{y + 4:.1f}" text-anchor="end">{n}%</text>'
            f'<text x="{x:.1f}" y="{_y(0) + 16}" text-anchor="middle">{n}%</text>'
        )
    parts.append(
        f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 16}" text-anchor="middle">captured</text>'
        f'<text transform="translate(14 {_HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
        "right of what is kept</text>"
    )
    return parts


def _line(points: Sequence[Point], pool: str, colour: str) -> list[str]:
    places, whiskers = [], []
    for point in points:
        found = point.precision_random if pool == "random" else point.precision_all
        if found.share is None or found.low is None or found.high is None or point.captured.share is None:
            continue
        x = _x(point.captured.share)
        places.append(f"{x:.1f},{_y(found.share):.1f}")
        whiskers.append(f"M{x:.1f} {_y(found.low):.1f}V{_y(found.high):.1f}")
    if not places:
        return []
    return [
        f'<path d="{"".join(whiskers)}" stroke="{colour}" stroke-opacity="0.3"/>',
        f'<polyline points="{" ".join(places)}" fill="none" stroke="{colour}" stroke-width="2"/>',
    ]


def _legend(row: int, words: str, colour: str) -> str:
    x, y = _x(0) + 12, _y(0) - 28 + 16 * row  # where few curves go
    return (
        f'<path d="M{x} {y - 4}h18" stroke="{colour}" stroke-width="2"/>'
        f'<text x="{x + 24}" y="{y}">{escape(words)}</text>'
    )
