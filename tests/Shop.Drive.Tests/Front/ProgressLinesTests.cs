using Shop.Drive.Front;

namespace Shop.Drive.Tests.Front;

public sealed class ProgressLinesTests
{
    [Fact]
    public void Describe_Figures_IsOnePlainLine()
    {
        var line = ProgressLines.Describe(TestFigures.Two);

        Assert.DoesNotContain('\n', line);
        Assert.DoesNotContain('\u001b', line);
        Assert.StartsWith("   4 s  nodes 1/2   21,000 calls/s  p50 1.50 ms", line, StringComparison.Ordinal);
        Assert.Contains("sessions 5,000 (lost 12)", line, StringComparison.Ordinal);
    }
}
