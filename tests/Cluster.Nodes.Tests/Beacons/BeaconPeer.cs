using Cluster.Glue;
using Cluster.Glue.Authorization;
using Cluster.Nodes.Beacons;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Loops;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;

namespace Cluster.Nodes.Tests.Beacons;

/// <summary>One node with a liveness endpoint that exchanges beacons. The beacons of the tests are the number of their
/// sender and a number; the answer is the same with a mark.</summary>
internal sealed class BeaconPeer : IDisposable
{
    public const string Secret = "the secret of all nodes in these tests";

    // A round takes up to 25 ms.
    private const int RoundsBetweenSends = 40;
    private const byte BeaconMark = 1;
    private const byte AnswerMark = 2;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly ConcurrentQueue<int> _taken = new();
    private readonly ConcurrentQueue<int> _answers = new();
    private readonly ConcurrentQueue<NodeId> _unreachable = new();
    private readonly LivenessGuard? _guard;
    private readonly int _number;

    public BeaconPeer(
        int number, LogRecorder logs, GlueClient client, LivenessGuard? guard = null, string secret = Secret)
    {
        _number = number;
        _guard = guard;
        Node = TestTables.Node(number);
        var identity = new NodeIdentity(Node);
        var settings = ClusterSettings.From(new ClusterOptions { Secret = new GlueSecret(secret) });
        var trust = PeerTrust.Find(settings, SecretOrigin.Process, () => throw new NotSupportedException());
        trust.Identity.Realm = "test";
        Trust = trust.Identity;
        var loops = new LoopContext(Time, identity, logs.CreateLogger<LoopContext>());
        Exchange = new BeaconExchange(identity, trust, client, loops);
        Exchange.Begin(Take, _unreachable.Enqueue);
        Endpoint = Open(port: 0);
    }

    /// <summary>The clock by which connections grow old.</summary>
    public ManualTimeProvider Time { get; } = new();

    public NodeId Node { get; }

    public GluePeerIdentity Trust { get; }

    public BeaconExchange Exchange { get; }

    public LivenessEndpoint Endpoint { get; private set; }

    /// <summary>The numbers of the beacons that have come.</summary>
    public IReadOnlyCollection<int> Taken => _taken;

    /// <summary>The numbers of the beacons of this node that were answered.</summary>
    public IReadOnlyCollection<int> Answers => _answers;

    public IReadOnlyCollection<NodeId> Unreachable => _unreachable;

    /// <summary>The thread on which the newest beacon has come. Each connection has its own.</summary>
    public Thread? TakenOn { get; private set; }

    /// <summary>Called for each beacon before it is answered.</summary>
    public Action? Taking { get; set; }

    /// <summary>Whether beacons are answered.</summary>
    public bool IsAnswering { get; set; } = true;

    public ClusterMember Member => new(
        TestTables.Slot(_number),
        Node,
        $"{(_guard is null ? "http" : "https")}://127.0.0.1:1",
        Endpoint.Address.ToString(),
        default,
        MemberState.Active);

    public static byte[] Beacon(int sender, int number) => [BeaconMark, (byte)sender, .. BitConverter.GetBytes(number)];

    public void Send(BeaconPeer to, int number) => Exchange.Send(to.Member, Beacon(_number, number));

    /// <summary>Sends a beacon until it is answered. On a busy machine an attempt to connect may take too long, and its
    /// beacon is lost then.</summary>
    public Task SendUntilAnsweredAsync(BeaconPeer to, int number)
    {
        var round = 0;
        return Eventually.TrueAsync(
            () =>
            {
                if (round++ % RoundsBetweenSends == 0)
                    Send(to, number);
                return _answers.Contains(number);
            },
            Bound);
    }

    /// <summary>Closes the endpoint and opens it again at the same port, as after a restart.</summary>
    public void Reopen()
    {
        var port = Endpoint.Address.Port;
        Endpoint.Dispose();
        Endpoint = Open(port);
    }

    public void Dispose()
    {
        Exchange.Dispose();
        Endpoint.Dispose();
    }

    private LivenessEndpoint Open(int port) =>
        LivenessEndpoint.Open(Node, "127.0.0.1", port, _guard, Exchange.Serve);

    private void Take(ReadOnlyMemory<byte> frame)
    {
        var number = BitConverter.ToInt32(frame.Span[2..]);
        if (frame.Span[0] == AnswerMark)
        {
            _answers.Enqueue(number);
            return;
        }

        TakenOn = Thread.CurrentThread;
        _taken.Enqueue(number);
        Taking?.Invoke();
        if (IsAnswering)
            Exchange.Answer(TestTables.Node(frame.Span[1]), [AnswerMark, .. frame.Span[1..]]);
    }
}
