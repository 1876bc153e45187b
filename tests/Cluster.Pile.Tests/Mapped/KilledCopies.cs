using Cluster.Pile.Tests.Litmus;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Runs a change in a build of the pile's own sources that copies its folder before accesses to memory, as if
/// the process had been killed there, and checks each copy. Stateless.</summary>
internal static class KilledCopies
{
    /// <summary>What is wrong with which copy; printed, too.</summary>
    /// <param name="run">The method of <see cref="LitmusScenarios"/> that runs the change, what is left out of the
    /// build, and the change.</param>
    /// <param name="bounds">How many copies are made at most, and after how many wrong ones no more are
    /// checked.</param>
    /// <param name="checkFolder">Gets a copy and what the scenario reported; throws when something is wrong.</param>
    /// <param name="output">Gets the report.</param>
    public static List<string> Run(
        (string Scenario, LitmusCheck Check, string Change) run,
        (int Copies, int ProblemsMax) bounds,
        Action<TestFolder, string[]> checkFolder,
        ITestOutputHelper output)
    {
        using var folder = new TestFolder();
        using var woven = new WovenPile();
        var report = woven.Run(run.Scenario, run.Check, run.Change, folder.FullName, bounds.Copies);
        output.WriteLine($"{run.Change}: {report[0]}");
        var problems = new List<string>();
        foreach (var copy in Directory.EnumerateDirectories(folder.FullName))
        {
            if (problems.Count >= bounds.ProblemsMax)
                break;
            try
            {
                checkFolder(new TestFolder(copy), report[1..]);
            }
            catch (Exception e) when (e is PileException or Xunit.Sdk.XunitException or InvalidOperationException)
            {
                problems.Add($"{run.Change} before access {Path.GetFileName(copy)}: {e.Message}");
            }
        }

        problems.ForEach(output.WriteLine);
        return problems;
    }
}
