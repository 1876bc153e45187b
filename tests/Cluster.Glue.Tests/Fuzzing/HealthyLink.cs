using Cluster.Glue.Tests.Semantics;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Calls all along, one after the other, and every answer has to be right. Its own task alone
/// counts.</summary>
internal sealed class HealthyLink : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Task _running;
    private int _answered;

    public HealthyLink(GlueClient client, string address) => _running = RunAsync(client.CreateProxy<IShapes>(address));

    /// <summary>Ends the calls; throws when one failed.</summary>
    public async Task<int> StopAsync()
    {
        await _stop.CancelAsync();
        await _running;
        return _answered;
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await Record.ExceptionAsync(() => _running);
        _stop.Dispose();
    }

    private async Task RunAsync(IShapes shapes)
    {
        do
        {
            var sent = _answered & 0xFFFF;
            Assert.Equal(2 * sent, await shapes.TwiceAsync(sent));
            _answered++;
            // So that most of the machine is left to the fuzz.
            await Task.Delay(TimeSpan.FromMilliseconds(1), TimeProvider.System);
        }
        while (!_stop.IsCancellationRequested);
    }
}
