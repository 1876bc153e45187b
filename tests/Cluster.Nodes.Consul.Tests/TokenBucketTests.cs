using Cluster.Nodes.Consul.Client;
using Cluster.Testing;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>The bucket lets its burst pass and then no more than its rate.</summary>
public sealed class TokenBucketTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task Take_BurstUsedUp_WaitsForTheRate()
    {
        var bucket = new TokenBucket(burst: 2, perSecond: 10, _time);
        Assert.True(Take(bucket).IsCompleted);
        Assert.True(Take(bucket).IsCompleted);
        var (third, fourth) = (Take(bucket), Take(bucket));

        _time.Advance(TimeSpan.FromMilliseconds(100));
        await third.WaitAsync(TimeSpan.FromMinutes(1));
        Assert.False(fourth.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(100));
        await fourth.WaitAsync(TimeSpan.FromMinutes(1));
    }

    [Fact]
    public void Take_AfterALongRest_AllowsOneBurstAndNoMore()
    {
        var bucket = new TokenBucket(burst: 2, perSecond: 10, _time);
        _time.Advance(TimeSpan.FromHours(1));

        Assert.True(Take(bucket).IsCompleted);
        Assert.True(Take(bucket).IsCompleted);
        Assert.False(Take(bucket).IsCompleted);
    }

    private static Task Take(TokenBucket bucket) => bucket.TakeAsync(CancellationToken.None).AsTask();
}
