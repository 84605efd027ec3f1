-- A clone shares its first commit with the original; what tells a moved repository from it is its git directory.

ALTER TABLE project ADD COLUMN mark TEXT;   -- DEVICE:INODE of the git directory
