using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Lets a live client call servers that answer with damaged messages, one for each call with the right answer
/// behind it. Whatever comes, the call ends: with a result, or typed. A worker has an address and a seed of its
/// own.</summary>
internal sealed class ClientFuzz(FuzzCorpus corpus, FuzzTally tally)
{
    // An address that has failed to shake hands is left alone for a while.
    private const int HandshakesPerClient = 200;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly byte[] Welcome = Frames.Of(Frames.Envelope(EnvelopeKind.Welcome, 0, Frames.Hello()));

    private readonly ConcurrentDictionary<string, HostileScript> _scripts = new();

    /// <summary>Makes a client that reaches hostile servers by their names and real ones by address.</summary>
    public GlueClient Connect() => new(new GlueClientOptions
    {
        ConfigureTypes = GlueHost.AllowTypes,
        DefaultDeadline = Bound,
        ConnectTimeout = Bound,
        WrapConnector = inner => new HostileConnector(inner, host => _scripts.GetValueOrDefault(host)),
    });

    public async Task RunAsync(GlueClient client, int seed, int workers, long frames) =>
        await Task.WhenAll(Enumerable.Range(0, workers).Select(worker => Task.Run(async () =>
        {
            await AnswerAsync(client, seed + worker, frames * 9 / 10);
            await ShakeHandsAsync(seed + worker, frames);
        })));

    private async Task AnswerAsync(GlueClient client, int seed, long frames)
    {
        var host = NameOf(seed, 0);
        var script = _scripts[host] = new HostileScript { Welcome = Welcome };
        var mutator = new FrameMutator(seed);
        for (ulong round = 1; tally.Frames < frames; round++)
        {
            var probe = mutator.Pick(corpus.Probes);
            var isAlone = false;
            script.Answer = callId =>
            {
                var damaged = mutator.Mutate(Answer(mutator, probe, callId), 0, out isAlone);
                return isAlone ? (damaged, true) : ([.. damaged, .. Good(probe, callId, round)], false);
            };
            await CheckEndsTypedAsync(probe, client, $"http://{host}", $"seed {seed}, round {round}");
            tally.Count(1);
        }
    }

    private async Task ShakeHandsAsync(int seed, long frames)
    {
        var mutator = new FrameMutator(~seed);
        for (var generation = 1; tally.Frames < frames; generation++)
        {
            await using var client = Connect();
            for (var i = 0; i < HandshakesPerClient; i++)
            {
                var host = NameOf(seed, (generation * HandshakesPerClient) + i);
                var welcome = Frames.Record(EnvelopeKind.Welcome, 0, Frames.Hello());
                var damaged = mutator.Mutate(welcome, 0, out var endsStream);
                var probe = corpus.Probes[0];
                _scripts[host] = new HostileScript
                {
                    // What follows a message that is cut short shows that it is.
                    Welcome = endsStream ? [.. damaged, .. new byte[300]] : damaged,
                    Answer = callId => (Good(probe, callId, 1), false),
                };
                await CheckEndsTypedAsync(probe, client, $"http://{host}", $"seed {seed}, handshake {host}");
                _scripts.TryRemove(host, out _);
                tally.Count(1);
            }
        }
    }

    private static string NameOf(int seed, int number) =>
        string.Create(CultureInfo.InvariantCulture, $"hostile-{(uint)seed}-{number}");

    private RecordedEnvelope Answer(FrameMutator mutator, FuzzProbe probe, ulong callId)
    {
        if (mutator.Random.Next(5) == 0)
            return mutator.Pick(corpus.ToClient);
        var source = mutator.Random.Next(5) == 0 ? mutator.Pick(corpus.Probes) : probe;
        var answer = source.Answers.Find(one => one.Kind is EnvelopeKind.Reply or EnvelopeKind.Fault);
        return Frames.Record(answer?.Kind ?? EnvelopeKind.Reply, callId, answer?.Body);
    }

    private byte[] Good(FuzzProbe probe, ulong callId, ulong round)
    {
        var answer = probe.Answers.Find(one => one.Kind is EnvelopeKind.Reply or EnvelopeKind.Fault);
        return Frames.Of(
        [
            .. Frames.Envelope(EnvelopeKind.Ping, round),
            .. Frames.Envelope(answer?.Kind ?? EnvelopeKind.Reply, callId, answer?.Body),
        ]);
    }

    private async Task CheckEndsTypedAsync(FuzzProbe probe, GlueClient client, string address, string which)
    {
        try
        {
            await probe.Call(client, address).WaitAsync(Bound);
            tally.CountOther("call that had a result");
        }
        catch (GlueException exception)
        {
            Note(exception);
        }
        catch (Exception exception) when (IsFromTheOtherSide(exception))
        {
            tally.CountOther("call that failed with an exception of its service");
        }
        catch (Exception exception)
        {
            Assert.Fail($"{probe.Name}, {which}: {exception}");
        }
    }

    // A fault may carry any exception on the list; what Glue or Slim throw by mistake has frames of theirs on top.
    private static bool IsFromTheOtherSide(Exception exception) =>
        exception is RemoteException or OperationCanceledException
            || exception.StackTrace is null
            || exception.TargetSite?.DeclaringType?.Namespace?.StartsWith("Cluster.", StringComparison.Ordinal) != true
            || exception.TargetSite.DeclaringType.Name.StartsWith("OutgoingCall", StringComparison.Ordinal);

    private void Note(GlueException exception)
    {
        if (exception.InnerException is WireException or GrpcStatusException)
            tally.CountRefusal(exception.InnerException.Message);
        else
            tally.CountOther($"call that failed with {exception.Code}");
    }
}
