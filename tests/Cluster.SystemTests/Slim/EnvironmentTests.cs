using System.Text.RegularExpressions;
using Cluster.Testing;

namespace Cluster.SystemTests.Slim;

/// <summary>Slim's golden files and its other tests of determinism, in processes with other cultures and time zones.
/// Those processes must write and read the same bytes as this machine.</summary>
[Trait("Case", "slim-N")]
public sealed partial class EnvironmentTests
{
    private const string Suite = "Cluster.Slim.Tests";
    private const int TestCountMin = 80;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(5);

    private static readonly string Built =
        AppContext.BaseDirectory.Replace("Cluster.SystemTests", Suite, StringComparison.Ordinal);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task Messages_InOtherCulturesAndTimeZones_AreThoseOfTheGoldenFiles() =>
        CheckAsync("tr-TR", "Australia/Lord_Howe");

    [Theory]
    [InlineData("tr-TR", "America/St_Johns")]
    [InlineData("fa-IR", "Australia/Lord_Howe")]
    [Trait("Category", "Soak")]
    public Task Messages_InManyCulturesAndTimeZones_AreThoseOfTheGoldenFiles(string culture, string zone) =>
        CheckAsync(culture, zone);

    private static async Task CheckAsync(string culture, string zone)
    {
        await using var run = ChildProcess.Start(
            Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet",
            ["vstest", Path.Combine(Built, Suite + ".dll"), "--TestCaseFilter:Case=slim-N|Case=slim-A"],
            start =>
            {
                start.Environment["LC_ALL"] = culture.Replace('-', '_') + ".UTF-8";
                start.Environment["TZ"] = zone;
                start.Environment["CLUSTER_SLIM_ENVIRONMENT"] = $"{culture} {zone}";
            });
        var exitCode = await run.WaitForExitAsync(Bound);
        Assert.True(exitCode == 0, run.Output);
        var passed = PassedCount().Match(run.Output);
        Assert.True(passed.Success, run.Output);
        Assert.True(int.Parse(passed.Groups[1].Value, CultureInfo.InvariantCulture) >= TestCountMin, run.Output);
    }

    // The summary line is in the language of the culture. Its numbers are: failed, passed, skipped, total.
    [GeneratedRegex(@"- [^:]+: +0, [^:]+: +(\d+),")]
    private static partial Regex PassedCount();
}
