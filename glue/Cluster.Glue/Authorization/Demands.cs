using Cluster.Glue.Settings;
using Microsoft.AspNetCore.Authorization;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Authorization;

/// <summary>Joins the demands of the builder to the services that they protect. Pure.</summary>
internal static class Demands
{
    /// <exception cref="InvalidOperationException">A contract is named that nobody offers.</exception>
    public static ServiceRegistration[] AddTo(
        IEnumerable<ServiceRegistration> registrations, IServiceProvider services)
    {
        ServiceRegistration[] all = [.. registrations];
        AuthorizationDemand[] demands = [.. services.GetService<IEnumerable<AuthorizationDemand>>() ?? []];
        foreach (var demand in demands)
        {
            // A demand for a base interface of an offered contract would protect nothing.
            if (demand.Contract is { } contract && !Array.Exists(all, one => one.Contract == contract))
            {
                throw new InvalidOperationException(
                    $"RequireAuthorization<{contract}>() protects nothing: the server does not offer this contract. "
                    + "Name the interface that AddService was called with.");
            }
        }

        return demands.Length == 0 ? all : Array.ConvertAll(all, one => one with { Demands = Of(one, demands) });
    }

    private static IAuthorizeData[] Of(ServiceRegistration registration, AuthorizationDemand[] demands) =>
        [.. demands.Where(one => one.Contract is null || one.Contract == registration.Contract)
            .SelectMany(static one => one.Data)];
}
