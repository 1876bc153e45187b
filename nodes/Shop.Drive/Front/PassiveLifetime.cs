
namespace Shop.Drive.Front;

/// <summary>Lets the run decide when its host starts and ends: no signal ends the host. Stateless.</summary>
internal sealed class PassiveLifetime : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
