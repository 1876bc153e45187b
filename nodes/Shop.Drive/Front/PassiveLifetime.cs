
namespace Shop.Drive.Front;

/// <summary>Leaves start and end of a host to the run that owns it: no signal ends the host by itself.
/// Stateless.</summary>
internal sealed class PassiveLifetime : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
