CREATE TABLE `segment_format` (
	`version` integer PRIMARY KEY,
	`known_since` integer NOT NULL
);
