// On a narrow screen the project's pages scroll sideways: bring the current one into view.
document.querySelector(".project-nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
