"use strict";
// The page works without this: it adds a filter, opens what a link leads into, and prints everything.
(function () {
  var filter = document.getElementById("filter");
  var table = document.getElementById("method-table");
  if (filter && table) {
    var rows = Array.prototype.slice.call(table.tBodies[0].rows);
    var output = document.querySelector("output[for=filter]");
    filter.parentNode.hidden = false;
    filter.addEventListener("input", function () {
      var wanted = filter.value.toLowerCase();
      var shown = 0;
      rows.forEach(function (row) {
        var fits = row.textContent.toLowerCase().indexOf(wanted) >= 0;
        row.hidden = !fits;
        if (fits) { shown += 1; }
      });
      output.textContent = wanted ? " " + shown + " of " + rows.length : "";
    });
  }
  function reveal() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (var node = target; node; node = node.parentElement) {
      if (node.tagName === "DETAILS") { node.open = true; }
    }
  }
  window.addEventListener("hashchange", reveal);
  reveal();
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (details) { details.open = true; });
  });
})();
