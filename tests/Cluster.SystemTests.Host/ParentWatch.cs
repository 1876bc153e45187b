using Microsoft.Extensions.Hosting;

namespace Cluster.SystemTests.Host;

/// <summary>Ends this process when its parent process ends, even if the parent is killed: the parent holds the other
/// end of standard input. Owned by the program; its state needs no protection.</summary>
internal sealed class ParentWatch : IDisposable
{
    private readonly Stream _input = Console.OpenStandardInput();

    public ParentWatch(IHostApplicationLifetime lifetime) => _ = WatchAsync(lifetime);

    public void Dispose() => _input.Dispose();

    private async Task WatchAsync(IHostApplicationLifetime lifetime)
    {
        var buffer = new byte[16];
        while (await _input.ReadAsync(buffer).ConfigureAwait(false) > 0)
        {
            // The parent writes nothing. Only the end of the stream counts.
        }

        lifetime.StopApplication();
    }
}
