"""What is wrong, as a person should hear it: facts in, sentences out."""
