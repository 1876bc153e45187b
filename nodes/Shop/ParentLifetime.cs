using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Shop;

/// <summary>Ends this process when its parent process ends. The parent holds the other end of standard input, and the
/// operating system closes it even if the parent is killed. A dedicated thread reads it, so that a busy thread pool
/// cannot delay the end.</summary>
internal sealed class ParentLifetime(IHostApplicationLifetime host, Stream pipe) : IHostLifetime, IDisposable
{
    // If the host does not stop within this time, the process kills itself.
    private static readonly TimeSpan StopMax = TimeSpan.FromSeconds(2);

    private readonly TaskCompletionSource _stopped = new();
    private PosixSignalRegistration? _interrupt;
    private PosixSignalRegistration? _terminate;

#pragma warning disable RS0030 // The pipe from the parent is standard input.
    public static ParentLifetime OfThisProcess(IServiceProvider services) =>
        new(services.GetRequiredService<IHostApplicationLifetime>(), Console.OpenStandardInput());
#pragma warning restore RS0030

    public Task WaitForStartAsync(CancellationToken cancellationToken)
    {
        // Ctrl+C in a terminal sends the signal to every process of the group. Only the parent decides what it means.
        _interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, static signal => signal.Cancel = true);
        _terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal =>
        {
            signal.Cancel = true;
            host.StopApplication();
        });
        new Thread(Watch) { IsBackground = true, Name = "parent watch" }.Start();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        _stopped.TrySetResult();
        return Task.CompletedTask;
    }

    public void Dispose()
    {
        _stopped.TrySetResult();
        _interrupt?.Dispose();
        _terminate?.Dispose();
    }

    private void Watch()
    {
        var buffer = new byte[64];
        try
        {
            while (pipe.Read(buffer) > 0)
            {
                // The bytes that the parent writes have no meaning. Only the end of the stream counts.
            }
        }
        catch (IOException)
        {
            // A broken pipe counts as the end of the stream.
        }

        host.StopApplication();

        // Blocking is harmless here: this thread has no other work.
        if (!((IAsyncResult)_stopped.Task).AsyncWaitHandle.WaitOne(StopMax))
            Process.GetCurrentProcess().Kill();
    }
}
