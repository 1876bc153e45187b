using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Http;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>A relay in front of a real Consul that loses swaps of the table and polls, and shows another index than the
/// server. Owned by one test; the fields that the test changes are volatile.</summary>
internal sealed partial class TroubledConsul : IAsyncDisposable
{
    private const ulong OffsetOfFormerIndexes = 1_000_000;

    private readonly string _server;
    private CancellationTokenSource _polls = new();
    private volatile Loss _loss = Loss.None;
    private volatile bool _isReset;
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

    /// <summary>Breaks the connections of the polls that wait now.</summary>
    public async Task BreakPollsAsync()
    {
        using var broken = Interlocked.Exchange(ref _polls, new CancellationTokenSource());
        await broken.CancelAsync();
    }

    /// <summary>Shows the indexes of the server, which are lower than those that were shown so far.</summary>
    public void ResetIndex() => _isReset = true;

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

        var offset = _isReset ? 0 : OffsetOfFormerIndexes;
        var query = context.Request.QueryString.Value ?? "";
        var isPoll = query.Contains("index=", StringComparison.Ordinal);
        context.Request.QueryString = new QueryString(Poll().Replace(query, found =>
        {
            var index = ulong.Parse(found.Groups[1].Value, CultureInfo.InvariantCulture);
            return $"index={(index >= offset ? index - offset : index)}&wait=1s";
        }));
        var polls = Volatile.Read(ref _polls).Token;
        await using var broken = polls.Register(isPoll ? context.Abort : static () => { });
        await ScriptedConsul.ForwardAsync(context, _server, isSwap && _loss == Loss.Answer, offset);
    }

    [GeneratedRegex(@"index=(\d+)&wait=\d+s")]
    private static partial Regex Poll();
}
