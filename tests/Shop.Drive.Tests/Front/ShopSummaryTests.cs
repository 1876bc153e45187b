using System.Text.Json;
using Shop.Drive.Front;

namespace Shop.Drive.Tests.Front;

public sealed class ShopSummaryTests
{
    private static readonly ShopSummary Example = new()
    {
        Nodes = 3,
        Seconds = 20.01,
        Calls = 400_000,
        RemoteCalls = 399_999,
        CallsPerSecond = 19_990,
        P50Ms = 1.234,
        P99Ms = 9.5,
        Errors = 1,
        Unavailable = 2,
        Sessions = 100,
        SessionsLost = 4,
        PileBytes = 1 << 20,
        GcPauseMaxMs = 3.25,
        Killed = 1,
    };

    [Fact]
    public void ToJson_AnySummary_IsOneLineWithExactlyTheseNames()
    {
        var json = Example.ToJson();

        Assert.DoesNotContain('\n', json);
        using var document = JsonDocument.Parse(json);
        Assert.Equal(
            [
                "nodes", "seconds", "calls", "remoteCalls", "callsPerSecond", "p50Ms", "p99Ms", "errors", "unavailable",
                "sessions", "sessionsLost", "pileBytes", "gcPauseMaxMs", "killed",
            ],
            document.RootElement.EnumerateObject().Select(property => property.Name));
        Assert.Equal(400_000, document.RootElement.GetProperty("calls").GetInt64());
        Assert.Equal(20.01, document.RootElement.GetProperty("seconds").GetDouble());
    }

    [Fact]
    public void ToText_AnySummary_NamesTheFiguresInAnyCulture()
    {
        var text = Example.ToText();

        Assert.Contains("calls 400,000", text, StringComparison.Ordinal);
        Assert.Contains("p99 9.50 ms", text, StringComparison.Ordinal);
        Assert.Contains("lost 4", text, StringComparison.Ordinal);
    }
}
