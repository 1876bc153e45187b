using Cluster.Glue.Resilience;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Transport;
using Cluster.Testing;
using Cluster.Testing.Glue;
using Xunit.Abstractions;

namespace Cluster.Glue.Tests.Resilience;

/// <summary>Acceptance case 86: a server is reachable and not reachable twenty times in a minute of the client's clock,
/// while many calls are made.</summary>
[Trait("Case", "glue-86")]
public sealed class FlappingEndpointTests(ITestOutputHelper output)
{
    private const int Flaps = 20;
    private const int StepsPerPhase = 6;
    private const int CallsPerStep = 16;
    private const int CallsPerPhases = Flaps * StepsPerPhase * CallsPerStep;

    // Each failure doubles the pause before the next attempt, so that few attempts fit into one phase.
    private const int AttemptsPerFlapMax = StepsPerPhase + 2;

    private static readonly TimeSpan Step = TimeSpan.FromMinutes(1) / (2 * Flaps * StepsPerPhase);
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly ManualTimeProvider _time = new();
    private readonly FaultyLink _faults = new(seed: 20261126);
    private readonly Dictionary<GlueErrorCode, int> _failures = [];
    private int _attempts;
    private int _answers;

    /// <summary>Without a memory of the last failure, each call would make an attempt of its own.</summary>
    [Fact]
    public async Task Server_Flaps_IsConnectedToSeldomHoweverManyCall()
    {
        await FlapAsync(breaker: null);
        Assert.InRange(_attempts, Flaps, Flaps * AttemptsPerFlapMax);
        Assert.InRange(_answers, CallsPerPhases * 9 / 10, CallsPerPhases);
    }

    [Fact]
    public async Task Server_Flaps_OpensItsBreakerWhichKeepsMostCallsAway()
    {
        await FlapAsync(new GlueBreakerOptions { MinCalls = 4 });
        Assert.InRange(_failures[GlueErrorCode.CircuitOpen], CallsPerPhases, 2 * CallsPerPhases);
        Assert.InRange(_attempts, 1, 2 * Flaps);
    }

    private async Task FlapAsync(GlueBreakerOptions? breaker)
    {
        await using var host = await GlueHost.StartAsync();
        await using var client = Connect();
        var resilience = new GlueResilienceOptions { Retry = null, Breaker = breaker };
        var shapes = client.CreateProxy<IShapes>(host.Address, new GlueProxyOptions { Resilience = resilience });
        Assert.Equal(2, await shapes.TwiceAsync(1).WaitAsync(Bound));
        for (var flap = 0; flap < Flaps; flap++)
        {
            _faults.IsDown = true;
            _faults.Cut();
            await CallForAPhaseAsync(shapes);
            _faults.Heal();
            await CallForAPhaseAsync(shapes);
        }

        output.WriteLine($"{_attempts} attempts to connect, {_answers} answers, {string.Join(", ", _failures)}");
    }

    // In each step, the client makes half of its calls at once, and the other half one after the other.
    private async Task CallForAPhaseAsync(IShapes shapes)
    {
        for (var step = 0; step < StepsPerPhase; step++)
        {
            var atOnce = Enumerable.Range(0, CallsPerStep / 2).Select(_ => shapes.TwiceAsync(1)).ToArray();
            foreach (var call in atOnce)
                await CountAsync(call);
            for (var call = 0; call < CallsPerStep / 2; call++)
                await CountAsync(shapes.TwiceAsync(1));
            _time.Advance(Step);
        }
    }

    private async Task CountAsync(Task<int> call)
    {
        try
        {
            Assert.Equal(2, await call.WaitAsync(Bound));
            _answers++;
        }
        catch (GlueException failure)
        {
            CollectionsMarshal.GetValueRefOrAddDefault(_failures, failure.Code, out _)++;
        }
    }

    private GlueClient Connect()
    {
        var options = new GlueClientOptions
        {
            TimeProvider = _time,
            HeartbeatInterval = Bound,
            DefaultDeadline = 2 * Bound,
            ResumeWindow = TimeSpan.Zero,
        };
        _faults.Attach(options);
        var faulty = options.WrapConnector!;
        options.WrapConnector = inner => new CountingConnector(faulty(inner), this);
        return new GlueClient(options);
    }

    private sealed class CountingConnector(IMessageConnector inner, FlappingEndpointTests test) : IMessageConnector
    {
        public ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref test._attempts);
            return inner.OpenAsync(address, cancellationToken);
        }
    }
}
