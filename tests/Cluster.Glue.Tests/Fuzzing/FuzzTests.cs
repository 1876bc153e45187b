using Cluster.Glue.Sessions;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Damaged messages hurt nobody but their sender: a server and a client live on, and links beside them are
/// answered all along. <c>CLUSTER_FUZZ_SEED</c> and <c>CLUSTER_FUZZ_FRAMES</c> choose other runs.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "glue-70")]
[Trait("Case", "glue-72")]
public sealed class FuzzTests(ITestOutputHelper output) : IAsyncLifetime
{
    private const long GrowthBytesMax = 64L * 1024 * 1024;
    private const int Workers = 4;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private GlueHost _host = null!;
    private FuzzCorpus _corpus = null!;

    public async Task InitializeAsync()
    {
        _host = await GlueHost.StartAsync(
            options => options.ResumeWindow = TimeSpan.FromMilliseconds(200), FuzzCorpus.AddServices);
        _corpus = await FuzzCorpus.RecordAsync(_host.Address);
    }

    public async Task DisposeAsync() => await _host.DisposeAsync();

    [Fact]
    public Task DamagedFrames_ToAServer_HurtNobodyElse() => FuzzServerAsync(seed: 1, frames: 4_000);

    [Fact]
    public Task DamagedFrames_ToAClient_HurtNobodyElse() => FuzzClientAsync(seed: 1, frames: 4_000);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Fuzz")]
    [Trait("Case", "experience-M2")]
    public Task HundredsOfThousandsOfDamagedFrames_ToAServer_HurtNobodyElse() =>
        FuzzServerAsync(Setting("CLUSTER_FUZZ_SEED", 7), Setting("CLUSTER_FUZZ_FRAMES", 400_000));

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Fuzz")]
    [Trait("Case", "experience-M2")]
    public Task HundredsOfThousandsOfDamagedFrames_ToAClient_HurtNobodyElse() =>
        FuzzClientAsync(Setting("CLUSTER_FUZZ_SEED", 7), Setting("CLUSTER_FUZZ_FRAMES", 600_000));

    private async Task FuzzServerAsync(int seed, int frames)
    {
        var tally = new FuzzTally();
        var fuzz = new ServerFuzz(_corpus, _host.Address, tally);
        await using var client = new GlueClient(new GlueClientOptions { DefaultDeadline = Bound, ConnectTimeout = Bound });
        await RunAsync("server", client, tally, seed, () => fuzz.RunAsync(seed, Workers, frames));
        Assert.InRange(tally.Frames, frames, long.MaxValue);
        // The links of resumable sessions go with their time.
        var server = _host.Services.GetRequiredService<ServerRuntime>();
        await client.DisposeAsync();
        await Cluster.Testing.Eventually.TrueAsync(() => server.Links.Count == 0, Bound);
    }

    private async Task FuzzClientAsync(int seed, int frames)
    {
        var tally = new FuzzTally();
        var fuzz = new ClientFuzz(_corpus, tally);
        await using var client = fuzz.Connect();
        await RunAsync("client", client, tally, seed, () => fuzz.RunAsync(client, seed, Workers, frames));
        Assert.InRange(tally.Frames, frames, long.MaxValue);
    }

    /// <summary>Runs beside a link that has to be answered all along, and looks at what is left.</summary>
    private async Task RunAsync(string side, GlueClient client, FuzzTally tally, int seed, Func<Task> fuzz)
    {
        await using var healthy = new HealthyLink(client, _host.Address);
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var started = Stopwatch.GetTimestamp();
        try
        {
            await fuzz();
        }
        finally
        {
            output.WriteLine($"seed {seed}");
            output.WriteLine(tally.Report(side, Stopwatch.GetElapsedTime(started)));
        }

        var answered = await healthy.StopAsync();
        output.WriteLine($"{answered} calls beside it were answered");
        Assert.True(answered > 0);
        Assert.Empty(tally.Unknown);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, GrowthBytesMax);
    }

    private static int Setting(string name, int standard) =>
        Environment.GetEnvironmentVariable(name) is { Length: > 0 } text
            ? int.Parse(text, CultureInfo.InvariantCulture)
            : standard;
}
