CREATE TABLE `box_below` (
	`box_id` text PRIMARY KEY,
	`name` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `device` ADD `belongs_to` text;--> statement-breakpoint
ALTER TABLE `device` ADD `belongs_by` text;