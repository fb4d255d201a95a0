CREATE TABLE `batch_refusal` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`box_no` integer NOT NULL,
	`epoch` text NOT NULL,
	`seq` integer NOT NULL,
	`code` integer NOT NULL,
	`msg` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `batch_refusal_by_seq` ON `batch_refusal` (`box_no`,`epoch`,`seq`);--> statement-breakpoint
CREATE INDEX `batch_refusal_by_box` ON `batch_refusal` (`box_no`,`id`);