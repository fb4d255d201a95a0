CREATE TABLE `history_hour` (
	`slot` integer PRIMARY KEY,
	`hour` integer NOT NULL,
	`minutes` integer NOT NULL,
	`waiting` integer,
	`records` integer NOT NULL,
	`waits` blob NOT NULL,
	`free_bytes` integer,
	`temperature_tenths` integer,
	`line_seconds` integer,
	`online` integer NOT NULL,
	`online_minutes` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `history_minute` (
	`slot` integer PRIMARY KEY,
	`minute` integer NOT NULL,
	`waiting` integer,
	`records` integer NOT NULL,
	`waits` blob NOT NULL,
	`free_bytes` integer,
	`temperature_tenths` integer,
	`line_seconds` integer,
	`online` integer NOT NULL,
	`online_devices` blob NOT NULL
);
