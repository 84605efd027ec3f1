"""The words of asides: frozen values that every room shares. Imports nothing of ours."""
