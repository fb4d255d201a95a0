CREATE TABLE `bulk_change` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	`what` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `bulk_change_row` (
	`bulk_id` integer NOT NULL,
	`ext_id` text NOT NULL,
	`before` text NOT NULL,
	`after` text NOT NULL,
	CONSTRAINT `bulk_change_row_pk` PRIMARY KEY(`bulk_id`, `ext_id`)
);
--> statement-breakpoint
CREATE TABLE `person_alias` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`said_ext_id` text NOT NULL,
	`said_number` text NOT NULL,
	`ext_id` text NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `person_alias_checkin` (
	`checkin_id` integer PRIMARY KEY,
	`alias_id` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `employee` ADD `search_keys` text;--> statement-breakpoint
CREATE UNIQUE INDEX `person_alias_said` ON `person_alias` (`said_ext_id`,`said_number`);--> statement-breakpoint
CREATE INDEX `person_alias_by_person` ON `person_alias` (`ext_id`);--> statement-breakpoint
CREATE INDEX `person_alias_checkin_by_alias` ON `person_alias_checkin` (`alias_id`);