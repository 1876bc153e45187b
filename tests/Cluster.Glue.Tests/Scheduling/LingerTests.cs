using Cluster.Glue.Scheduling;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Scheduling;

/// <summary>How long somebody who ends waits for what was sent to arrive.</summary>
public sealed class LingerTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly ManualTimeProvider _time = new();
    private readonly TaskCompletionSource _arrival = new();
    private long _arrived;

    [Fact]
    public async Task WhatArrives_IsWaitedFor()
    {
        var farewell = Begin();
        Assert.False(farewell.IsCompleted);
        _arrival.SetResult();
        Assert.True(await farewell.WaitAsync(Bound));
    }

    [Fact]
    public async Task Peer_ThatTakesNothing_IsGivenUpAfterThePatience()
    {
        var farewell = Begin();
        _time.Advance(GlueLimits.LingerTime);
        Assert.False(await farewell.WaitAsync(Bound));
    }

    [Fact]
    public async Task Peer_ThatTakesALittleEachTime_IsGivenUpWhenTheTimeIsOver()
    {
        var farewell = Begin();
        while (_time.Elapsed < GlueLimits.MaxLingerTime)
        {
            // It waits again.
            await Eventually.TrueAsync(() => _time.ArmedTimerCount == 1, Bound);
            Assert.False(farewell.IsCompleted);
            _arrived++;
            _time.Advance(GlueLimits.LingerTime);
        }

        Assert.False(await farewell.WaitAsync(Bound));
        Assert.Equal(GlueLimits.MaxLingerTime, _time.Elapsed);
    }

    private Task<bool> Begin() => Linger.WaitAsync(_arrival.Task, () => Volatile.Read(ref _arrived), _time);
}
