using Cluster.Glue.Authorization;
using Cluster.Glue.Settings;
using Cluster.Testing.Glue;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Security;

/// <summary>Services for peers are served to callers who have proven a shared secret, and refused to all others before
/// anything of their arguments is read.</summary>
public sealed class PeerAuthenticationTests
{
    private static readonly TimeSpan Bound = PeerHosts.Bound;

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task Peer_WithTheSecret_IsServed_AndKnownAsPeer()
    {
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New));
        await using var client = PeerHosts.Connect(PeerHosts.Identity(PeerHosts.New));
        Assert.True(await client.CreateProxy<IPeerDuties>(host.Address).IsFromPeerAsync().WaitAsync(Bound));
        Assert.True(await client.CreateProxy<IPublicDuties>(host.Address).IsFromPeerAsync().WaitAsync(Bound));
        Assert.Equal(
            nameof(String), await client.CreateProxy<IPeerDuties>(host.Address).NameOfAsync<string>().WaitAsync(Bound));
    }

    [Theory]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    [Trait("Case", "repair-A3")]
    public async Task Stranger_IsRefusedTyped_AndServedWhatIsForEverybody(GlueTransport transport)
    {
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New));
        await using var client = PeerHosts.Connect(null, options => options.Transport = transport);
        var duties = client.CreateProxy<IPeerDuties>(host.Address);
        await CheckRefusedAsync(GlueErrorCode.PeersOnly, () => duties.TakeAsync("x"));
        await CheckRefusedAsync(GlueErrorCode.PeersOnly, () => duties.NameOfAsync<string>());
        Assert.False(await client.CreateProxy<IPublicDuties>(host.Address).IsFromPeerAsync().WaitAsync(Bound));
    }

    /// <summary>A refusal that the client remembers is thrown for each call, and must not collect their
    /// stacks.</summary>
    [Fact]
    public async Task Refusal_ThatTheClientRemembers_IsAnotherExceptionForEachCall()
    {
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New));
        await using var client = PeerHosts.Connect(null);
        var duties = client.CreateProxy<IPeerDuties>(host.Address);
        var refusals = new List<GlueException>();
        for (var round = 0; round < 4; round++)
            refusals.Add(await Assert.ThrowsAsync<GlueException>(() => duties.TakeAsync("x").WaitAsync(Bound)));
        Assert.Equal(4, refusals.Distinct(ReferenceEqualityComparer.Instance).Count());
        Assert.Equal(refusals[2].StackTrace!.Length, refusals[3].StackTrace!.Length);
    }

    /// <summary>Arguments that cannot be read are not even tried.</summary>
    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task Stranger_IsRefused_BeforeArgumentsAreRead()
    {
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New));
        var refusal = await ForgedCall.SendAsync<IPeerDuties>(
            host.Address, "TakeAsync(System.String):System.String", [typeof(string), typeof(string)], [0xFF, 0xFE, 0xFD]);
        Assert.Contains("is for peers only", refusal, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task ServerWithoutSecret_ServesNobodyWhatIsForPeers()
    {
        await using var host = await PeerHosts.StartAsync(null);
        await using var stranger = PeerHosts.Connect(null);
        await CheckRefusedAsync(
            GlueErrorCode.PeersOnly, () => stranger.CreateProxy<IPeerDuties>(host.Address).IsFromPeerAsync());
        // And a client that has a secret opens no link to a server that cannot prove it. The server, which has accepted
        // the link, keeps it for no longer than its window.
        await using var client = PeerHosts.Connect(
            PeerHosts.Identity(PeerHosts.New), options => options.ResumeWindow = TimeSpan.Zero);
        await CheckRefusedAsync(
            GlueErrorCode.PeerNotAuthenticated,
            () => client.CreateProxy<IPublicDuties>(host.Address).IsFromPeerAsync());
    }

    [Theory]
    [InlineData(PeerHosts.Old, "cluster 1")]
    [InlineData(PeerHosts.New, "cluster 2")]
    [Trait("Case", "repair-A3")]
    public async Task WrongSecretOrRealm_IsRefusedTyped(string secret, string realm)
    {
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New));
        var identity = PeerHosts.Identity(secret);
        identity.Realm = realm;
        await using var client = PeerHosts.Connect(identity);
        var refusal = await CheckRefusedAsync(
            GlueErrorCode.PeerNotAuthenticated,
            () => client.CreateProxy<IPublicDuties>(host.Address).IsFromPeerAsync());
        Assert.Contains("PeerIdentity", refusal.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(PeerHosts.New, refusal.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain(PeerHosts.Old, refusal.ToString(), StringComparison.Ordinal);
    }

    /// <summary>The steps of a rolling restart: at each of them, processes of the step before and after meet.</summary>
    [Theory]
    [InlineData(new[] { PeerHosts.Old }, new[] { PeerHosts.Old, PeerHosts.New })]
    [InlineData(new[] { PeerHosts.Old, PeerHosts.New }, new[] { PeerHosts.New, PeerHosts.Old })]
    [InlineData(new[] { PeerHosts.New, PeerHosts.Old }, new[] { PeerHosts.New })]
    [Trait("Case", "repair-A3")]
    public async Task ChangeOfTheSecret_StepByStep_LocksNobodyOut(string[] before, string[] after)
    {
        await CheckMeetAsync(before, after);
        await CheckMeetAsync(after, before);
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task Link_WhoseStreamsAreCut_JoinsWithProofs()
    {
        var faults = new FaultyLink();
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(PeerHosts.New));
        await using var client = PeerHosts.Connect(PeerHosts.Identity(PeerHosts.New), faults.Attach);
        var duties = client.CreateProxy<IPeerDuties>(host.Address);
        for (var round = 0; round < 5; round++)
        {
            Assert.True(await duties.IsFromPeerAsync().WaitAsync(Bound));
            faults.Cut();
        }

        Assert.True(await duties.IsFromPeerAsync().WaitAsync(Bound));
        Assert.True(faults.StreamCount > 6, $"{faults.StreamCount} streams were opened");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("Case", "repair-A3")]
    public async Task RealmThatIsLearnedLate_IsWaitedFor(bool isServerLate)
    {
        var server = PeerHosts.Identity(PeerHosts.New);
        var own = PeerHosts.Identity(PeerHosts.New);
        var late = isServerLate ? server : own;
        late.Realm = null;
        await using var host = await PeerHosts.StartAsync(server);
        await using var client = PeerHosts.Connect(own, options => options.ConnectTimeout = Bound);
        var call = client.CreateProxy<IPeerDuties>(host.Address).IsFromPeerAsync();
        Assert.False(call.IsCompleted);
        late.Realm = "cluster 1";
        Assert.True(await call.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public async Task PeerListener_ServesPeersAlone_AndTheOtherOneNothingOfThem()
    {
        await using var host = await PeerHosts.StartAsync(
            PeerHosts.Identity(PeerHosts.New), options => options.PeerListenAddress = "http://127.0.0.1:0");
        var peers = host.Services.GetRequiredService<GlueListener>().PeerAddress!;
        await using var peer = PeerHosts.Connect(PeerHosts.Identity(PeerHosts.New));
        Assert.True(await peer.CreateProxy<IPeerDuties>(peers).IsFromPeerAsync().WaitAsync(Bound));
        Assert.True(await peer.CreateProxy<IPublicDuties>(host.Address).IsFromPeerAsync().WaitAsync(Bound));
        var elsewhere = await CheckRefusedAsync(
            GlueErrorCode.PeersOnly, () => peer.CreateProxy<IPeerDuties>(host.Address).IsFromPeerAsync());
        Assert.Contains("PeerListenAddress", elsewhere.Message, StringComparison.Ordinal);
        await using var stranger = PeerHosts.Connect(null);
        await CheckRefusedAsync(
            GlueErrorCode.PeerNotAuthenticated, () => stranger.CreateProxy<IPublicDuties>(peers).IsFromPeerAsync());
        await using var unary = PeerHosts.Connect(null, options => options.Transport = GlueTransport.Unary);
        await Assert.ThrowsAsync<GlueException>(
            () => unary.CreateProxy<IPublicDuties>(peers).IsFromPeerAsync().WaitAsync(Bound));
    }

    [Theory]
    [InlineData(GlueInProcessMode.ShareObjects)]
    [InlineData(GlueInProcessMode.Serialize)]
    [Trait("Case", "repair-A3")]
    public async Task CallerInTheSameProcess_IsAPeer_WithoutAnySecret(GlueInProcessMode mode)
    {
        var name = "peers-" + Guid.NewGuid().ToString("N");
        await using var host = await PeerHosts.StartAsync(null, options =>
        {
            options.InProcessName = name;
            options.InProcessMode = mode;
        });
        await using var client = PeerHosts.Connect(null);
        Assert.True(await client.CreateProxy<IPeerDuties>("inproc://" + name).IsFromPeerAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public void Options_ThatCannotWork_AreAllNamed_WithoutTheSecret()
    {
        const string Short = "too short";
        var options = new GlueServerOptions { PeerIdentity = new GluePeerIdentity() };
        options.PeerIdentity.Secrets.Add(new GlueSecret(Short));
        var problems = string.Join('\n', GlueServerOptionsValidator.ProblemsOf(options));
        Assert.Contains("Glue:Server:PeerIdentity:Secrets:0 is shorter than 16 bytes", problems, StringComparison.Ordinal);
        Assert.DoesNotContain(Short, problems, StringComparison.Ordinal);
        Assert.Contains(
            "PeerIdentity:Secrets has 0 entries",
            string.Join('\n', GlueServerOptionsValidator.ProblemsOf(
                new GlueServerOptions { PeerIdentity = new GluePeerIdentity() })),
            StringComparison.Ordinal);
        Assert.Contains(
            "PeerListenAddress is set without",
            string.Join('\n', GlueServerOptionsValidator.ProblemsOf(
                new GlueServerOptions { PeerListenAddress = "http://127.0.0.1:0" })),
            StringComparison.Ordinal);
        Assert.Contains(
            "a request of its own proves nothing",
            string.Join('\n', GlueClientOptionsValidator.ProblemsOf(new GlueClientOptions
            {
                PeerIdentity = PeerHosts.Identity(PeerHosts.New),
                Transport = GlueTransport.Unary,
            })),
            StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "repair-A3")]
    public void Secrets_ComeFromConfiguration_AndShowNothing()
    {
        IConfiguration configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(new Dictionary<string, string?>
            {
                ["PeerIdentity:Secrets:0"] = PeerHosts.New,
                ["PeerIdentity:Secrets:1"] = PeerHosts.Old,
                ["PeerIdentity:Realm"] = "cluster 1",
            }).Build();
        var options = new GlueServerOptions();
        configuration.Bind(options);
        Assert.Equal(2, options.PeerIdentity!.Secrets.Count);
        Assert.Equal("cluster 1", options.PeerIdentity.Realm);
        Assert.Empty(GlueServerOptionsValidator.ProblemsOf(options));
        var secret = options.PeerIdentity.Secrets[0];
        Assert.Equal("(secret)", secret.ToString());
        Assert.DoesNotContain(PeerHosts.New, System.Text.Json.JsonSerializer.Serialize(secret), StringComparison.Ordinal);
    }

    private static async Task CheckMeetAsync(string[] client, string[] server)
    {
        await using var host = await PeerHosts.StartAsync(PeerHosts.Identity(server));
        await using var calling = PeerHosts.Connect(PeerHosts.Identity(client));
        Assert.True(await calling.CreateProxy<IPeerDuties>(host.Address).IsFromPeerAsync().WaitAsync(Bound));
    }

    private static async Task<GlueException> CheckRefusedAsync(GlueErrorCode code, Func<Task> call)
    {
        var refusal = await Assert.ThrowsAsync<GlueException>(() => call().WaitAsync(Bound));
        Assert.Equal(code, refusal.Code);
        Assert.Equal(GlueErrorKind.Refused, refusal.Kind);
        Assert.Equal(GlueDelivery.NotDelivered, refusal.Delivery);
        return refusal;
    }
}
