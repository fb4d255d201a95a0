CREATE TABLE `cloud_access` (
	`cloud_id` integer PRIMARY KEY,
	`access_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `cloud_checkin` (
	`cloud_id` text PRIMARY KEY,
	`checkin_id` integer,
	`user_id` text,
	`ext_id` text,
	`waiting` text
);
--> statement-breakpoint
CREATE TABLE `mirror_cursor` (
	`list` text PRIMARY KEY,
	`next_id` integer NOT NULL,
	`whole_at` integer
);
--> statement-breakpoint
CREATE TABLE `uncertain_match` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`site_id` integer NOT NULL,
	`cloud_id` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `cloud_access_by_record` ON `cloud_access` (`access_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `cloud_checkin_by_checkin` ON `cloud_checkin` (`checkin_id`) WHERE checkin_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `cloud_checkin_waiting` ON `cloud_checkin` (`ext_id`) WHERE checkin_id IS NULL;