using System.Text.RegularExpressions;
using Cluster.Testing;
using Microsoft.AspNetCore.Http;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>A relay in front of a real Consul that loses swaps of the table and polls, and shows other indexes than the
/// server. A poll for an index that the server has not reached gets no answer. Owned by one test; a private lock
/// protects what is known of indexes.</summary>
internal sealed partial class TroubledConsul : IAsyncDisposable
{
    private const ulong OffsetOfFormerIndexes = 1_000_000;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly string _server;
    private readonly Lock _lock = new();
    private readonly TaskCompletionSource _resetTold = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private CancellationTokenSource _polls = new();
    private volatile Loss _loss = Loss.None;
    private ulong _offset = OffsetOfFormerIndexes;
    private ulong _reached;
    private bool _isResetUntold;
    private int _waiting;
    private ScriptedConsul? _relay;

    private TroubledConsul(string server) => _server = server;

    /// <summary>What is lost of each swap.</summary>
    public enum Loss
    {
        None,
        Request,
        Answer,
    }

    public string Address => _relay!.Address;

    public static async Task<TroubledConsul> StartAsync(string server)
    {
        var troubled = new TroubledConsul(server);
        troubled._relay = await ScriptedConsul.StartAsync((context, _) => troubled.AnswerAsync(context));
        return troubled;
    }

    /// <summary>Loses requests or answers of swaps from now on.</summary>
    public void Lose(Loss loss) => _loss = loss;

    /// <summary>Breaks the connection of a poll, as soon as one waits.</summary>
    public async Task BreakPollsAsync()
    {
        await Eventually.TrueAsync(() => Volatile.Read(ref _waiting) > 0, Bound, "a poll waits");
        using var broken = Interlocked.Exchange(ref _polls, new CancellationTokenSource());
        await broken.CancelAsync();
    }

    /// <summary>Shows the indexes of the server from now on, which are lower than those that were shown so far. Ends
    /// when a poll has been answered with such an index.</summary>
    public async Task ResetIndexAsync()
    {
        lock (_lock)
            (_offset, _isResetUntold) = (0, true);
        await BreakPollsAsync();
        await _resetTold.Task;
    }

    public async ValueTask DisposeAsync()
    {
        await _relay!.DisposeAsync();
        _polls.Dispose();
    }

    private async Task AnswerAsync(HttpContext context)
    {
        // Reads of a table also use transactions, but their query names the consistency.
        var isSwap = context.Request.Path == "/v1/txn" && !context.Request.QueryString.HasValue;
        if (isSwap && _loss == Loss.Request)
        {
            context.Abort();
            return;
        }

        var query = context.Request.QueryString.Value ?? "";
        var poll = PollPart().Match(query);
        ulong offset;
        var isUnreached = false;
        var isTold = false;
        lock (_lock)
        {
            offset = _offset;
            if (poll.Success)
            {
                var index = ulong.Parse(poll.Groups[1].Value, CultureInfo.InvariantCulture) - offset;
                isTold = index > _reached && _isResetUntold;
                isUnreached = index > _reached && !isTold;
                _isResetUntold &= !isTold;
                var wanted = isTold ? "" : $"&index={index}&wait=30s";
                context.Request.QueryString = new QueryString(
                    query.Replace(poll.Value, wanted, StringComparison.Ordinal));
            }
        }

        using var broken = CancellationTokenSource.CreateLinkedTokenSource(
            context.RequestAborted, Volatile.Read(ref _polls).Token);
        await using var ended = broken.Token.Register(poll.Success ? context.Abort : static () => { });
        if (isUnreached)
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, broken.Token)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            return;
        }

        var waiting = poll.Success && !isTold ? 1 : 0;
        Interlocked.Add(ref _waiting, waiting);
        try
        {
            var reached = await ScriptedConsul.ForwardAsync(context, _server, isSwap && _loss == Loss.Answer, offset);
            lock (_lock)
                _reached = Math.Max(_reached, reached);
        }
        finally
        {
            Interlocked.Add(ref _waiting, -waiting);
        }

        if (isTold)
            _resetTold.TrySetResult();
    }

    [GeneratedRegex(@"&index=(\d+)&wait=\d+s")]
    private static partial Regex PollPart();
}
