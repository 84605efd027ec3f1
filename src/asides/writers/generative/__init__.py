"""The generative writer: a language model that answers in lines, behind the `Writer` protocol."""
