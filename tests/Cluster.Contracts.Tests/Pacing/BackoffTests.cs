using Cluster.Contracts.Pacing;

namespace Cluster.Contracts.Tests.Pacing;

/// <summary>Pauses after failures grow to their bound and are spread.</summary>
public sealed class BackoffTests
{
    private static readonly TimeSpan First = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(2);

    [Theory]
    [InlineData(0, 100)]
    [InlineData(2, 400)]
    [InlineData(5, 2000)]
    [InlineData(1_000_000, 2000)]
    public void Pause_DoublesWithEachFailure_UpToTheBound(int failures, int milliseconds) =>
        Assert.Equal(TimeSpan.FromMilliseconds(milliseconds), Backoff.Pause(First, Longest, failures));

    [Fact]
    public void Next_StaysBetweenHalfAndWhole_AndBeginsAgainAfterReset()
    {
        var backoff = new Backoff(First, Longest, new Jitter(1));
        for (var round = 0; round < 2; round++)
        {
            for (var failures = 0; failures < 10; failures++)
            {
                var pause = Backoff.Pause(First, Longest, failures);
                Assert.InRange(backoff.Next(), pause / 2, pause);
            }

            backoff.Reset();
        }
    }

    [Fact]
    public void Jitter_OfOneSeed_RepeatsItself_AndOfNone_Differs()
    {
        Assert.Equal(Times(new Jitter(7)), Times(new Jitter(7)));
        Assert.NotEqual(Times(new Jitter()), Times(new Jitter()));
    }

    [Fact]
    public void Jitter_SpreadsFromZero_UpToTheTime()
    {
        var jitter = new Jitter(3);
        var times = Enumerable.Range(0, 1000).Select(_ => jitter.SpreadFromZero(Longest)).ToArray();
        Assert.All(times, time => Assert.InRange(time, TimeSpan.Zero, Longest));
        Assert.True(times.Min() < Longest / 4 && times.Max() > Longest * 0.75);
    }

    private static TimeSpan[] Times(Jitter jitter) =>
        [.. Enumerable.Range(0, 20).Select(_ => jitter.Spread(Longest))];
}
