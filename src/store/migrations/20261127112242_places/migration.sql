CREATE TABLE `former_place` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`kind` text NOT NULL,
	`subject_id` integer NOT NULL,
	`until` text NOT NULL,
	`department_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `gone_department` (
	`id` integer PRIMARY KEY,
	`ext_id` text,
	`name` text NOT NULL,
	`parent_id` integer
);
--> statement-breakpoint
ALTER TABLE `department` ADD `parent_since` text;--> statement-breakpoint
ALTER TABLE `employee` ADD `department_since` text;--> statement-breakpoint
CREATE UNIQUE INDEX `former_place_by_subject` ON `former_place` (`kind`,`subject_id`,`until`);--> statement-breakpoint
CREATE INDEX `former_place_by_department` ON `former_place` (`department_id`);