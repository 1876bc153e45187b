using Cluster.Glue.References;
using Cluster.Glue.Sessions;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>What a large message hands over comes back to its owner when the message is given up before the peer has
/// all of it, wherever it is at that moment.</summary>
[Trait("Case", "repair-B1")]
public sealed class GivenUpTransferTests : DisturbedLinkTests
{
    // More than a substream takes that nobody reads.
    private const int LoadBytes = 12_000_000;
    private const int FullBytes = 3_000_000;

    private Link ClientLink => Client.Links.Single();

    private Link ServerLink => Host.Services.GetRequiredService<ServerRuntime>().Links.Single();

    [Fact]
    public async Task Call_WhosePieceIsBeingAppended_GivesItsReferencesBack()
    {
        var parcels = await OpenAsync();
        using var end = new CancellationTokenSource();
        var call = parcels.PutAsync(new Parcel(LoadBytes, new Receipt()), end.Token);
        await FillAsync(ClientLink);
        await CancelAsync(call, end);
        Assert.Equal(1, ClientLink.References.ExportCount);
        Faults.Release(BulkStream);
        await EmptyAsync(ClientLink.References);
        await CheckWorksAsync(parcels);
    }

    [Fact]
    public async Task Call_ThatHasNotBegun_GivesItsReferencesBackAtOnce()
    {
        var parcels = await OpenAsync();
        using var end = new CancellationTokenSource();
        var first = parcels.PutAsync(new Parcel(LoadBytes, null), default);
        await FillAsync(ClientLink);
        var call = parcels.PutAsync(new Parcel(LoadBytes, new Receipt()), end.Token);
        await Eventually.TrueAsync(() => ClientLink.References.ExportCount == 1, Bound);
        await CancelAsync(call, end);
        await EmptyAsync(ClientLink.References);
        Faults.Release(BulkStream);
        await first.WaitAsync(Bound);
        await CheckWorksAsync(parcels);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Answer_ThatNobodyWaitsFor_GivesItsReferencesBack(bool isBehindAnother)
    {
        var parcels = await OpenAsync();
        var first = isBehindAnother
            ? parcels.GetAsync(LoadBytes, isReturning: false, default)
            : Task.FromResult(new Parcel(0, null));
        if (isBehindAnother)
            await FillAsync(ServerLink);
        using var end = new CancellationTokenSource();
        var call = parcels.GetAsync(LoadBytes, isReturning: true, end.Token);
        await Eventually.TrueAsync(() => ServerLink.References.ExportCount == 1, Bound);
        await FillAsync(ServerLink);
        await CancelAsync(call, end);
        Faults.Release(BulkStream);
        await EmptyAsync(ServerLink.References);
        await first.WaitAsync(Bound);
        await CheckWorksAsync(parcels);
    }

    private protected override Task<GlueHost> StartHostAsync() =>
        GlueHost.StartAsync(addServices: glue =>
        {
            GlueHost.AddSemanticServices(glue);
            glue.AddService<IParcels, Parcels>();
        });

    private async Task<IParcels> OpenAsync()
    {
        var parcels = Proxy<IParcels>();
        await parcels.PutAsync(new Parcel(100_000, null), default).WaitAsync(Bound);
        Faults.Hold(BulkStream);
        return parcels;
    }

    private static Task FillAsync(Link link) =>
        Eventually.TrueAsync(() => link.SubstreamOf(SubstreamRole.Bulk).Writer.HeldBytes > FullBytes, Bound);

    private static async Task CancelAsync(Task call, CancellationTokenSource end)
    {
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.WaitAsync(Bound));
    }

    private static Task EmptyAsync(ReferenceTable table) =>
        Eventually.TrueAsync(() => table.ExportCount == 0, Bound, "nothing handed out");

    private static async Task CheckWorksAsync(IParcels parcels)
    {
        var receipt = new Receipt();
        await parcels.PutAsync(new Parcel(LoadBytes, receipt), default).WaitAsync(Bound);
        Assert.Equal(LoadBytes, await receipt.Signature.WaitAsync(Bound));
    }
}
