CREATE TABLE `device_clock` (
	`device_no` integer NOT NULL,
	`begun_at` integer NOT NULL,
	`first_said` integer NOT NULL,
	`last_said` integer NOT NULL,
	`low_ms` integer NOT NULL,
	`low_at` integer NOT NULL,
	`high_ms` integer,
	`high_at` integer NOT NULL,
	`near_count` integer NOT NULL,
	`near_hours` integer NOT NULL,
	`near_last_at` integer NOT NULL,
	`near_gap_min_ms` integer,
	`near_gap_max_ms` integer,
	`is_ended` integer NOT NULL,
	CONSTRAINT `device_clock_pk` PRIMARY KEY(`device_no`, `begun_at`)
);
--> statement-breakpoint
ALTER TABLE `access_record` ADD `clock_low_ms` integer;--> statement-breakpoint
ALTER TABLE `access_record` ADD `clock_high_ms` integer;--> statement-breakpoint
ALTER TABLE `checkin` ADD `clock_low_ms` integer;--> statement-breakpoint
ALTER TABLE `checkin` ADD `clock_high_ms` integer;--> statement-breakpoint
ALTER TABLE `checkin_unresolved` ADD `clock_low_ms` integer;--> statement-breakpoint
ALTER TABLE `checkin_unresolved` ADD `clock_high_ms` integer;