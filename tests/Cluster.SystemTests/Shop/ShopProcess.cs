using System.Text.Json;
using Cluster.Testing;

namespace Cluster.SystemTests.Shop;

/// <summary>Runs the real Shop program, as it was built, in its own processes.</summary>
internal static class ShopProcess
{
    /// <summary>The maximum time of a run in addition to its load: start, warm-up and end on a busy machine.</summary>
    public static readonly TimeSpan Margin = TimeSpan.FromMinutes(4);

    public static string AssemblyPath { get; } = Path.Combine(AppContext.BaseDirectory, "Shop.Drive.dll");

    public static ChildProcess Start(params string[] arguments) => Start(static _ => { }, arguments);

    public static ChildProcess Start(Action<ProcessStartInfo> configure, params string[] arguments) =>
        ChildProcess.StartDotnet(AssemblyPath, arguments, configure);

    /// <summary>Runs the shop to its end. Returns the one line of JSON that it prints to standard output.</summary>
    public static async Task<JsonElement> RunForSummaryAsync(int seconds, params string[] arguments)
    {
        var count = seconds.ToString(CultureInfo.InvariantCulture);
        await using var shop = Start(["--headless", "--json", "--seconds", count, .. arguments]);
        var code = await shop.WaitForExitAsync(TimeSpan.FromSeconds(seconds) + Margin);
        Assert.True(code == 0, $"exit code {code}{Environment.NewLine}{shop.Output}");
        var json = Assert.Single(shop.Lines, static line => line.StartsWith('{'));
        using var document = JsonDocument.Parse(json);
        return document.RootElement.Clone();
    }

    /// <summary>The child processes of a process.</summary>
    public static IReadOnlyList<int> ChildrenOf(int processId) =>
        [.. Directory.GetDirectories("/proc").Select(static folder => Path.GetFileName(folder))
            .Where(static name => name.All(char.IsAsciiDigit))
            .Select(static name => int.Parse(name, CultureInfo.InvariantCulture))
            .Where(id => ParentOf(id) == processId)];

    /// <summary>Whether a process exists and is not a zombie.</summary>
    public static bool IsAlive(int processId) =>
        StatusOf(processId) is [var state, ..] && state is not "Z" and not "X";

    private static int ParentOf(int processId) =>
        StatusOf(processId) is [_, var parent, ..] ? int.Parse(parent, CultureInfo.InvariantCulture) : -1;

    // State and parent follow the program's name. The name is in parentheses and may contain any character.
    private static string[] StatusOf(int processId)
    {
        try
        {
            var text = File.ReadAllText($"/proc/{processId}/stat");
            return text[(text.LastIndexOf(')') + 2)..].Split(' ');
        }
        catch (IOException)
        {
            return [];
        }
    }
}
