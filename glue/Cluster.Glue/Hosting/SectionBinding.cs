using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Cluster.Glue.Hosting;

/// <summary>Binds options to a configuration section if the container has a configuration. Immutable.</summary>
internal sealed class SectionBinding<TOptions>(IServiceProvider services, string section) : IConfigureOptions<TOptions>
    where TOptions : class
{
    public void Configure(TOptions options) => services.GetService<IConfiguration>()?.GetSection(section).Bind(options);
}
