# The asides hook: writes the payload down, prints what was prepared, wakes the daemon.
#
# Read by /bin/sh as  . STATE/hook/hook.sh  with $0 = STATE/hook/hook.sh, $1 = AGENT, $2 = EVENT
# (docs/protocols.md). POSIX sh; besides built-ins it runs cat and mv, grep where a guard is set up
# or cues lie ready and for a resumed session of which nothing is known, an interpreter only where
# grep found cause or something is owed, mkdir, rm and dd only where something is amiss.
#
# The agent waits for every line of this, and may take any output and any exit status but 0 for
# an order. So: nothing runs before the last line, which a shortened copy lacks; all errors go to
# /dev/null; nothing is printed but one prepared line; the caller's trap makes the status 0.

asides_newline='
'

# Sets `name` and `tmp` to a spool file that is ours alone; `tmp` is empty where none can be made.
asides_claim() {
    name=$$ tmp=''
    [ -d "$spool" ] || mkdir -p "$spool"
    set -C
    while [ "${#name}" -lt 200 ]; do
        if [ ! -e "$spool/$name.tmp" ] && [ ! -e "$spool/$name.json" ]; then
            # `command`, because a failed redirection of a special built-in ends the shell.
            if { command : > "$spool/$name.tmp"; }; then
                # Another container's process may bear our number and have finished just now.
                if [ ! -e "$spool/$name.json" ]; then
                    tmp=$spool/$name.tmp
                    break
                fi
                rm -f "$spool/$name.tmp"
            elif [ ! -e "$spool/$name.tmp" ]; then
                break
            fi
        fi
        name=${name}x
    done
    set +C
}

# Sets `source`, `session` and `transcript` from a session start's payload.
#
# Between quotation marks stand keys, colons and values; a quotation mark inside a value is
# preceded by a backslash, so no value can pass for a key.
asides_understand() {
    [ "${#payload}" -le 16384 ] || return 0
    set -f
    IFS='"'
    # shellcheck disable=SC2086
    set -- $payload
    IFS=" 	$asides_newline"
    set +f
    while [ "$#" -gt 2 ]; do
        case $1 in
            source | session_id | sessionId | transcript_path)
                case $2 in
                    : | ': ' | ' : ' | ' :')
                        case $1 in
                            source) source=${source:-$3} ;;
                            transcript_path) transcript=${transcript:-$3} ;;
                            *) session=${session:-$3} ;;
                        esac
                        shift 2
                        ;;
                esac
                ;;
        esac
        shift
    done
}

# Sets `key` to the project's git common directory, else to its folder.
#
# As find_project in src/asides/code/git.py does it, because the texts lie where that says. The
# working directory follows the agent into other repositories; the project's folder does not.
asides_locate() {
    key='' home=''
    case $project in
        /*) command cd -P "$project" || command cd -P . || return 0 ;;
        *) command cd -P . || return 0 ;;
    esac
    case $PWD in /*) ;; *) return 0 ;; esac  # removed meanwhile
    folder=$PWD
    outside=$PWD
    case ${HOME:-} in /*) command cd -P "$HOME" && home=$PWD ;; esac
    while :; do
        # A repository at home or above it is nobody's project: dotfiles are kept in such.
        case $home/ in "$folder"/*) break ;; esac
        line=''
        if [ -d "$folder/.git" ]; then
            line=$folder/.git
        elif [ -f "$folder/.git" ]; then
            IFS= read -r line < "$folder/.git"
            case $line in
                'gitdir: /'*) line=${line#gitdir: } ;;
                'gitdir: '?*) line=$folder/${line#gitdir: } ;;
                *) line='' ;;
            esac
        fi
        if [ -n "$line" ]; then
            common=''
            [ -f "$line/commondir" ] && IFS= read -r common < "$line/commondir"
            case $common in /*) ;; *) common=./$common ;; esac
            command cd -P "$line" && command cd -P "$common" && [ -f HEAD ] && key=$PWD
        fi
        [ -z "$key" ] && [ -n "${folder%/}" ] || break
        folder=${folder%/*}
    done
    key=${key:-$outside}
}

# Offers the prepared text $1, if there is one.
asides_offer() {
    [ -s "$ready/$1.json" ] || return 0
    text=$ready/$1.json printed=$1
}

# Succeeds if the conversation that is gone on with holds no list of ours, for certain.
#
# The transcript is asked, and not the kind of start: before 2.1.214 the client calls a fork a
# resumed session, and a session older than asides looks like a fork. The mark is FENCE_OPEN of
# src/asides/model/delivery.py. A backslash is an escape that would have to be taken out first.
asides_never_had() {
    case $transcript in
        *\\*) return 1 ;;
        /*) [ -f "$transcript" ] || return 1 ;;
        *) return 1 ;;
    esac
    LC_ALL=C grep -qF '[asides]' "$transcript"
    [ "$?" = 1 ]
}

# Sets `text` to the prepared file that is to be printed, if any, and `printed` to what it is.
asides_choose() {
    asides_locate
    ready=$state/ready/at$key/$agent
    [ -n "$key" ] && [ -f "$ready/version" ] && IFS= read -r version < "$ready/version"
    case $version in '' | *[!A-Za-z0-9._-]*) version='' && return 0 ;; esac
    case $event in [Ss]ubagentStart) asides_offer subagent && return 0 ;; esac
    case $source in
        compact) asides_offer compact ;;
        resume | fork)
            given=''
            if [ -n "$session" ] && [ -f "$state/given/$session" ]; then
                IFS= read -r given < "$state/given/$session"
                [ "$given" = "$version" ] || asides_offer replace
            elif asides_never_had; then
                asides_offer start
            elif [ "$source" != fork ] || [ ! -e "$ready/unchanged" ]; then
                asides_offer replace
            fi
            ;;
        *)
            line=$ready/announce.json
            if [ "$attended" != 0 ] && [ -f "$line" ] && [ -r "$line" ] && [ -s "$line" ] \
                && mv -f "$line" "$ready/announce.$name"; then
                text=$ready/announce.$name printed=start announced=1
            else
                asides_offer start
            fi
            ;;
    esac
}

# Succeeds if the payload gives the guard cause to look.
#
# Every payload names the transcript, below .claude/projects or the like; that is no cause. Reading is none
# either: `"tool_name":` with plain quotation marks is a key, never words inside a value, and where one of
# several, however deep, has another value than Read, something else than reading is afoot.
asides_is_cause() {
    set -- -e memory -e 'claude[^a-z0-9/_-]' -e 'agents[^/]*\.md' -e 'gemini[^/]*\.md' -e '[*?]\.md' \
        -e '\.claude/[^p]' -e '\.claude/projects/*[A-Za-z0-9-]*[^A-Za-z0-9/-]'
    [ -s "$state/guard.causes" ] && set -- "$@" -f "$state/guard.causes"
    LC_ALL=C grep -qi "$@" "$tmp" || return 1
    LC_ALL=C grep -q '"tool_name": *"Read"' "$tmp" || return 0
    LC_ALL=C grep -q '"tool_name": *"[^R]' "$tmp"
}

# Sets `cues` to the folder of the project's table if the payload holds one of the causes in its file $1.
asides_seek() {
    asides_find_table "$1" && { LC_ALL=C grep -qiF -f "$cues/$1" "$tmp" || cues=''; }
}

# Sets `cues` to the folder of the project's table of cues if there is one, with causes in the file $1.
asides_find_table() {
    case $agent in claude-code) ;; *) return 1 ;; esac
    [ -z "$deaf" ] && [ -e "$state/ready/at" ] || return 1
    here=$PWD
    asides_locate
    command cd "$here" || :
    cues=$state/ready/at$key/$agent
    if [ -z "$key" ] || [ ! -s "$cues/cues.json" ] || [ ! -s "$cues/$1" ]; then
        cues=''
        return 1
    fi
}

# Succeeds if the session has rituals owed of which it is to be reminded in the way $1.
asides_owes() {
    session=$environment_session
    if [ -z "$session" ]; then
        for line in "$state"/given/*.owed; do break; done
        [ -e "$line" ] || return 1
        payload=$(dd bs=4096 count=1 < "$tmp")
        asides_understand
        case $session in '' | *[!A-Za-z0-9-]*) return 1 ;; esac
    fi
    line=''
    [ -f "$state/given/$session.owed" ] && IFS= read -r line < "$state/given/$session.owed"
    [ "$line" = "$1" ]
}

# Sets `plain_python` and `daemon_python`, the paths of two interpreters, where they are known.
asides_know_interpreters() {
    [ -f "$state/hook/interpreters" ] && [ -r "$state/hook/interpreters" ] || return 0
    while read -r line value; do
        case $line in
            plain_python) plain_python=$value ;;
            daemon_python) daemon_python=$value ;;
        esac
    done < "$state/hook/interpreters"
}

# Asks the guard and the cues in one run of the interpreter, if one of them has cause.
#
# Sets `verdict`, `verdict_path`, `verdict_why`, `cue_notes` and `answer`. What the guard answers goes first.
asides_ask() {
    guard='' cues=''
    [ -n "$wrote" ] || return 0
    case $event in
        [Pp]reToolUse)
            asides_seek cues.causes
            # Where the cues have cause the guard looks too, which costs less than to ask grep whether it has any.
            [ -f "$state/guard.json" ] && { [ -n "$cues" ] || asides_is_cause; } && guard=$state/guard.json
            ;;
        [Pp]ostToolUse) asides_seek cues.after ;;
        [Ss]top) [ "$attended" = 1 ] && asides_owes stop && asides_find_table cues.json ;;
        *) asides_owes prompt && asides_find_table cues.json ;;
    esac
    [ -n "$guard$cues" ] || return 0
    asides_know_interpreters
    [ -z "$guard" ] || verdict=failed
    [ -z "$cues" ] || cue_notes="cue_why interpreter$asides_newline"
    found=$("$plain_python" -I -S -c 'import sys
sys.path.insert(0, sys.argv[1])
if sys.argv[4]:
    from hook.cues.door import main
    main(*sys.argv[1:])
else:
    from hook.guard.door import main
    main(sys.argv[2], sys.argv[3])' \
        "$state" "$tmp" "$guard" "$cues" "$event" "$key" "$attended")
    if [ -n "$guard" ]; then
        asides_heed_guard "$found"
        [ -z "$answer" ] || { cue_notes='' && return 0; }
    fi
    [ -z "$cues" ] || asides_heed_cues "$asides_newline$found"
}

# Takes what the guard said from the first lines of $1.
asides_heed_guard() {
    line=${1%%"$asides_newline"*}
    case $line in
        'deny '* | 'ask '*)
            answer=${1#*"$asides_newline"}
            answer=${answer%%"$asides_newline"*} printed=guard
            ;;
        'failed '*) verdict_why=${line#* } && return 0 ;;
        'audit '* | pass) ;;
        reading) verdict='' && return 0 ;;
        *) return 0 ;;
    esac
    verdict=${line%% *}
    case $line in *' '*) verdict_path=${line#* } ;; esac
}

# Takes what the cues said from $1: behind a line `#cues`, before a last line `done`, an answer in braces.
asides_heed_cues() {
    # The shortest match from the left: where there are many ways to match, some shells try them all.
    found=${1#*"$asides_newline#cues"}
    case $found in
        "$1") return 0 ;;
        *"${asides_newline}done") found=${found%done} ;;
        *) return 0 ;;
    esac
    cue_notes=${found%%"$asides_newline{"*}
    if [ "$cue_notes" != "$found" ]; then
        answer="{${found#*"$asides_newline{"}" printed=cue
        answer=${answer%"$asides_newline"}
        cue_notes=$cue_notes$asides_newline
    fi
    cue_notes=${cue_notes#"$asides_newline"}
}

# Decides whether this hook starts a daemon, so that hooks of the same moment do not start one each.
#
# Sets `daemon` to starting where another hook has just done so, to refused where one could not go on;
# sets `claim` to the file that the process id of the one to be started belongs into, if it is ours.
# A session start always starts one.
asides_take_turn() {
    case $event in
        [Ss]essionStart) ;;
        *) [ -e "$state/run/refused" ] && daemon=refused && return 0 ;;
    esac
    claim=$state/run/starting
    set -C
    if [ ! -e "$claim" ] && { echo "$$" > "$claim"; }; then
        set +C
        return 0
    fi
    set +C
    line=''
    if [ ! -f "$claim" ]; then
        claim=''
        return 0
    fi
    IFS= read -r line < "$claim"
    case $line in
        '' | 0* | *[!0-9]*) ;;
        *)
            if kill -0 "$line"; then
                # In a container without an init nobody waits for the dead.
                value=''
                [ -r "/proc/$line/stat" ] && IFS= read -r value < "/proc/$line/stat"
                case ${value##*) } in
                    [ZX]*) ;;
                    *)
                        claim=''
                        case $event in [Ss]essionStart) ;; *) daemon=starting ;; esac
                        return 0
                        ;;
                esac
            fi
            ;;
    esac
    { echo "$$" >| "$claim"; } || claim=''  # left by one that is gone, or written to a full disk
}

# Sets `daemon`: alive, started (to be started after printing), starting, refused, missing.
asides_look() {
    daemon_pid='' daemon_start=''
    [ -f "$state/run/alive" ] && read -r daemon_pid daemon_start line < "$state/run/alive"
    case $daemon_pid in
        '' | *[!0-9]*) ;;
        *)
            if [ "$daemon_start" = - ]; then
                kill -0 "$daemon_pid" && daemon=alive
            else
                line=''
                IFS= read -r line < "/proc/$daemon_pid/stat"
                # The name in brackets may hold blanks and brackets; field 22 is the 20th behind it.
                # shellcheck disable=SC2086
                set -- ${line##*) }
                [ "$#" -ge 20 ] && shift 19 && [ "$1" = "$daemon_start" ] && daemon=alive
            fi
            ;;
    esac
    [ "$daemon" = alive ] && return 0
    daemon=missing
    if [ -x "$daemon_python" ]; then
        daemon=started
        asides_take_turn
    fi
}

# Starts a daemon that outlives the agent and is waited for by nobody.
asides_start() {
    (
        command cd / || exit
        trap - PIPE
        PATH=$path_before
        case $locale_before in '') unset LC_ALL ;; *) LC_ALL=${locale_before#=} ;; esac
        # The daemon must serve the folder that this script lies in, whatever the agent's environment.
        case $state in
            */state) ASIDES_HOME=${state%/state} && export ASIDES_HOME ;;
            *) unset ASIDES_HOME ;;
        esac
        if command -v setsid; then
            exec setsid "$daemon_python" -I -m asides.daemon
        fi
        trap '' HUP
        exec "$daemon_python" -I -m asides.daemon
    ) < /dev/null > /dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
    [ -n "$claim" ] && { echo "$!" >| "$claim"; }
}

# Appends one line to `trailer`; a value that could not stand on one line is left out.
asides_note() {
    case $2 in '' | *"$asides_newline"*) return 0 ;; esac
    trailer=$trailer$1' '$2$asides_newline
}

asides_hook() {
    [ -z "${ASIDES_INSIDE:-}" ] && [ "$#" -ge 2 ] || return 0
    # Copilot CLI and Cursor run the hooks of Claude Code too; their sessions are not its sessions.
    case $1,${COPILOT_CLI:-}${COPILOT_PROJECT_DIR:-}${CURSOR_VERSION:-} in
        claude-code,?*) return 0 ;;
    esac
    set +e +f +u +x
    trap '' PIPE
    umask 077
    # A closed stream's number would go to the next pipe, and a `cat` would wait for its own output.
    deaf=''
    { command : 3<&0; } || exec < /dev/null
    { command : 3>&1; } || { deaf=1 && exec > /dev/null; }
    path_before=${PATH-}
    locale_before=${LC_ALL+=$LC_ALL}
    PATH=/usr/bin:/bin${PATH:+:$PATH}
    LC_ALL=C
    IFS=" 	$asides_newline"

    agent=$1 event=$2 state=${0%/hook/hook.sh}
    case $agent$event in *[!A-Za-z0-9_-]*) return 0 ;; esac
    case $state in "$0") return 0 ;; /*) ;; *) return 0 ;; esac
    spool=$state/spool
    began='' ended='' line='' payload='' wrote='' source='' session='' transcript='' attended='' project=$PWD
    version='' text='' printed=none announced='' answer='' verdict='' verdict_path='' verdict_why=''
    daemon=none claim='' cues='' cue_notes='' key=''
    plain_python='' daemon_python=''
    [ -r /proc/uptime ] && read -r began line < /proc/uptime
    case $agent in
        claude-code)
            project=${CLAUDE_PROJECT_DIR:-$PWD}
            environment_session=${CLAUDE_CODE_SESSION_ID:-}
            case ${CLAUDE_CODE_SESSION_ATTENDED:-}${CLAUDE_CODE_ENTRYPOINT:-} in
                0* | sdk*) attended=0 ;;
                1* | cli) attended=1 ;;
            esac
            ;;
        *) environment_session='' ;;
    esac
    case $environment_session in *[!A-Za-z0-9-]*) environment_session='' ;; esac

    asides_claim
    case $event in
        [Ss]essionStart)
            # Held in a variable, so that the right text is printed although the disk is full.
            payload=$(
                cat
                printf x
            )
            payload=${payload%x}
            [ -n "$tmp" ] && printf %s "$payload" >> "$tmp" && wrote=1
            asides_understand
            session=${session:-$environment_session}
            case $session in *[!A-Za-z0-9-]*) session='' ;; esac
            [ "${#session}" -le 128 ] || session=''
            ;;
        *)
            if [ -n "$tmp" ]; then
                cat >> "$tmp" && wrote=1
            else
                cat > /dev/null
            fi
            ;;
    esac

    case $event in
        [Ss]essionStart | [Ss]ubagentStart) [ -n "$deaf" ] || asides_choose ;;
        [Pp]reToolUse | [Pp]ostToolUse | [Ss]top | [Uu]serPromptSubmit) asides_ask ;;
    esac
    # What was given before a compaction is no longer before the agent.
    case $event$source in
        [Ss]essionStartcompact)
            [ -n "$session" ] && [ -f "$state/given/$session.cues" ] \
                && { command echo forget >> "$state/given/$session.cues"; }
            ;;
    esac
    case $event in
        [Pp]reToolUse | [Pp]ostToolUse) ;;
        *)
            asides_know_interpreters
            asides_look
            ;;
    esac

    if [ -n "$wrote" ]; then
        [ -r /proc/uptime ] && read -r ended line < /proc/uptime
        trailer="$asides_newline#asides 1$asides_newline"
        asides_note agent "$agent"
        asides_note event "$event"
        asides_note pid "$$"
        asides_note project "$project"
        asides_note session "$environment_session"
        asides_note attended "$attended"
        asides_note began "$began"
        asides_note ended "$ended"
        asides_note printed "$printed"
        case $printed in none | guard | cue) ;; *) asides_note version "$version" ;; esac
        asides_note announced "$announced"
        asides_note guard "$verdict"
        asides_note guard_path "$verdict_path"
        asides_note guard_why "$verdict_why"
        trailer=$trailer$cue_notes
        asides_note daemon "$daemon"
        { printf '%send\n' "$trailer" >> "$tmp"; } && mv -f "$tmp" "$spool/$name.json"
    fi

    if [ -n "$answer" ]; then
        printf '%s\n' "$answer"
    elif [ -n "$text" ]; then
        cat "$text"
        case $?$printed in
            0start | 0compact | 0replace)
                [ -n "$session" ] && { command printf '%s\n' "$version" > "$state/given/$session"; }
                ;;
        esac
    fi

    [ "$daemon" = alive ] && kill -URG "$daemon_pid"
    case $daemon$event in
        started* | alive[Ss]essionStart) [ -x "$daemon_python" ] && asides_start ;;
    esac
}

asides_hook "$@" 2> /dev/null
