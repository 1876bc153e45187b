using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>A server of the process that stops while another one takes over its name.</summary>
public sealed class InProcessReplacementTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    /// <summary>The old server cancels its own calls when its drain time is over, and none of the new server.</summary>
    [Fact]
    public async Task OldServerWhoseDrainTimeEnds_LeavesTheCallsOfTheNewOneAlone()
    {
        var time = new ManualTimeProvider();
        var name = "r" + Guid.NewGuid().ToString("N");
        await using var old = await GlueHost.StartAsync(options =>
        {
            options.InProcessName = name;
            options.TimeProvider = time;
            options.HeartbeatInterval = TimeSpan.FromMinutes(10);
        });
        await using var client = new GlueClient(
            new GlueClientOptions { DefaultDeadline = TimeSpan.FromMinutes(10), ConfigureTypes = GlueHost.AllowTypes });
        var near = client.CreateProxy<ITiming>("inproc://" + name);
        Assert.Equal(0, await near.CancellationsAsync());
        // A call over the network makes the old server use all of its drain time.
        var far = client.CreateProxy<ITiming>(old.Address).WaitForCancellationAsync(CancellationToken.None);
        var seen = old.Services.GetRequiredService<Observations>();
        Assert.True(await seen.Started.WaitAsync(Bound));
        var stopping = old.StopAsync();

        await using var next = await StartNextAsync(name);
        using var stop = new CancellationTokenSource();
        var call = near.WaitForCancellationAsync(stop.Token);
        Assert.True(await next.Services.GetRequiredService<Observations>().Started.WaitAsync(Bound));
        await Eventually.TrueAsync(
            () =>
            {
                time.Advance(TimeSpan.FromSeconds(5));
                return stopping.IsCompleted;
            },
            Bound);

        await Assert.ThrowsAnyAsync<Exception>(() => far.WaitAsync(Bound));
        Assert.Equal(0, await near.CancellationsAsync().WaitAsync(Bound));
        Assert.False(call.IsCompleted);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
    }

    // The name is free as soon as the old server has begun to stop.
    private static async Task<GlueHost> StartNextAsync(string name)
    {
        GlueHost? next = null;
        await Eventually.TrueAsync(
            async () =>
            {
                try
                {
                    next = await GlueHost.StartAsync(options => options.InProcessName = name);
                }
                catch (InvalidOperationException)
                {
                    // The old server still has the name.
                }

                return next is not null;
            },
            Bound);
        return next!;
    }
}
