using Cluster.Glue.Tests.Semantics;
using Cluster.Testing.Glue;

namespace Cluster.Glue.Tests.Links;

/// <summary>What a link waits for, and how much it carries at once: neither without end.</summary>
public sealed class LinkBoundTests : IAsyncLifetime
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly FaultyLink _faults = new(seed: 20261122);
    private GlueHost _host = null!;

    public async Task InitializeAsync()
        => _host = await GlueHost.StartAsync(options => options.MessageBytesMax = 1_000_000);

    public async Task DisposeAsync()
    {
        _faults.Heal();
        await _host.DisposeAsync();
    }

    [Fact]
    [Trait("Case", "glue-20")]
    public async Task TransfersThatDoNotFitTogether_WaitForRoom()
    {
        await using GlueClient client = PatientClient.Connect(_faults);
        IGraphs graphs = client.CreateProxy<IGraphs>(_host.Address);
        // Sixteen of them at once would be sixteen times the limit of a message, both ways.
        byte[][] all = Enumerable.Range(0, 32).Select(i => new byte[900_000 + i]).ToArray();
        byte[][] echoed = await Task.WhenAll(all.Select(graphs.EchoBytesAsync)).WaitAsync(Bound);
        Assert.Equal(all.Select(one => one.Length), echoed.Select(one => one.Length));
        Assert.Equal(3, _faults.StreamCount);
    }

    [Fact]
    [Trait("Case", "glue-79")]
    public async Task JoinThatIsNotAnswered_IsGivenUpInTime_AndTriedAgain()
    {
        await using GlueClient client = PatientClient.Connect(
            _faults, options => options.ConnectTimeout = TimeSpan.FromSeconds(2));
        ISharedCounter counter = client.CreateProxy<ISharedCounter>(_host.Address);
        Assert.Equal(1, await counter.NextAsync().WaitAsync(Bound));
        // The next stream of each lane says nothing.
        _faults.Hold(3);
        _faults.Hold(4);
        _faults.Cut();
        Assert.Equal(2, await counter.NextAsync().WaitAsync(Bound));
        Assert.True(_faults.StreamCount > 4);
    }
}
