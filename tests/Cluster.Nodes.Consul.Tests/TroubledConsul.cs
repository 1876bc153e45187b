using System.Text.RegularExpressions;
using Cluster.Testing;
using Microsoft.AspNetCore.Http;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>A relay in front of a real Consul that loses swaps of the table and polls, and shows other indexes than the
/// server. A poll for an index that the server has not reached gets no answer. Owned by one test; a private lock
/// protects the offset of the indexes and the token of the polls.</summary>
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
    public Task BreakPollsAsync() => EndPollsAsync(offset: null);

    /// <summary>Shows the indexes of the server from now on, which are lower than those that were shown so far. A poll
    /// that waits is answered at once with such an index, as Consul does when its data is restored. Ends when it has
    /// been answered.</summary>
    public async Task ResetIndexAsync()
    {
        await EndPollsAsync(offset: 0);
        await _resetTold.Task.WaitAsync(Bound);
    }

    public async ValueTask DisposeAsync()
    {
        await _relay!.DisposeAsync();
        _polls.Dispose();
    }

    private async Task EndPollsAsync(ulong? offset)
    {
        await Eventually.TrueAsync(() => Volatile.Read(ref _waiting) > 0, Bound, "a poll waits");
        CancellationTokenSource ended;
        lock (_lock)
        {
            _offset = offset ?? _offset;
            (ended, _polls) = (_polls, new CancellationTokenSource());
        }

        await ended.CancelAsync();
        ended.Dispose();
    }

    private async Task AnswerAsync(HttpContext context)
    {
        var query = context.Request.QueryString.Value ?? "";
        var poll = PollPart().Match(query);
        if (poll.Success)
        {
            await AnswerPollAsync(context, query, poll);
            return;
        }

        // Reads of a table also use transactions, but their query names the consistency.
        var isSwap = context.Request.Path == "/v1/txn" && query.Length == 0;
        if (isSwap && _loss == Loss.Request)
        {
            context.Abort();
            return;
        }

        var (offset, _) = Current();
        await ScriptedConsul.ForwardAsync(
            context, _server, isSwap && _loss == Loss.Answer, offset, context.RequestAborted);
    }

    private async Task AnswerPollAsync(HttpContext context, string query, Match poll)
    {
        var (offset, polls) = Current();
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(context.RequestAborted, polls);
        var index = ulong.Parse(poll.Groups[1].Value, CultureInfo.InvariantCulture) - offset;
        context.Request.QueryString = Replaced($"&index={index}&wait=600s");
        Interlocked.Increment(ref _waiting);
        try
        {
            await ScriptedConsul.ForwardAsync(context, _server, isAnswerLost: false, offset, ended.Token);
            return;
        }
        catch (OperationCanceledException)
        {
            // The test has ended it, or the client.
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }

        var (newOffset, _) = Current();
        if (newOffset == offset)
        {
            context.Abort();
            return;
        }

        context.Request.QueryString = Replaced("");
        await ScriptedConsul.ForwardAsync(context, _server, isAnswerLost: false, newOffset, context.RequestAborted);
        _resetTold.TrySetResult();

        QueryString Replaced(string wanted) => new(query.Replace(poll.Value, wanted, StringComparison.Ordinal));
    }

    private (ulong Offset, CancellationToken Polls) Current()
    {
        lock (_lock)
            return (_offset, _polls.Token);
    }

    [GeneratedRegex(@"&index=(\d+)&wait=\d+s")]
    private static partial Regex PollPart();
}
