using System.ComponentModel;
using Cluster.Glue;
using Cluster.Glue.Authorization;
using Cluster.Nodes;
using Cluster.Nodes.Consul;
using Shop;

namespace Cluster.SystemTests.Deploy;

/// <summary>Compares environment variables with the options that exist. Stateless.</summary>
internal static class DeployedSettings
{
    private static readonly (string Section, Type Options)[] Sections =
    [
        (ConsulOptions.SectionName, typeof(ConsulOptions)),
        (ClusterOptions.SectionName, typeof(ClusterOptions)),
        ("Glue:Server", typeof(GlueServerOptions)),
    ];

    /// <summary>What is wrong with a variable; null: nothing. A value with a dollar sign is filled in later.</summary>
    public static string? FindProblem(string variable, string value)
    {
        var path = variable.Replace("__", ":", StringComparison.Ordinal);
        if (path == ShopCluster.FolderKey)
            return null;
        var (section, options) = Sections.FirstOrDefault(
            one => path.StartsWith(one.Section + ":", StringComparison.Ordinal));
        var property = section is null ? null : options.GetProperty(path[(section.Length + 1)..]);
        if (property is null)
            return $"{path} is no option.";
        if (value.Contains('$', StringComparison.Ordinal) || property.PropertyType == typeof(GlueSecret))
            return null;
        return TypeDescriptor.GetConverter(property.PropertyType).IsValid(value)
            ? null
            : $"{path} cannot be '{value}'.";
    }
}
