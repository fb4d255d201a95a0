CREATE TABLE `alert` (
	`id` text PRIMARY KEY,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`severity` text NOT NULL,
	`since` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`announced_at` integer,
	`announced_as` text,
	`over_at` integer,
	`is_done` integer NOT NULL,
	`details` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `alert_message` (
	`id` text PRIMARY KEY,
	`channel` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `alert_setting` (
	`key` text PRIMARY KEY,
	`sealed_value` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `alert_by_done` ON `alert` (`is_done`,`opened_at`);