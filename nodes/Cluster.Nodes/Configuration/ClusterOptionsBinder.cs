using System.ComponentModel;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace Cluster.Nodes.Configuration;

/// <summary>Copies the configuration section <c>Cluster</c> into the options, value by value, so that one unreadable
/// value does not hide the problems of the others as the stock binder's exception would. Stateless.</summary>
internal sealed class ClusterOptionsBinder(IConfiguration configuration, BindingProblems problems)
    : IConfigureOptions<ClusterOptions>
{
    private static readonly PropertyInfo[] Properties = typeof(ClusterOptions)
        .GetProperties(BindingFlags.Public | BindingFlags.Instance);

    public void Configure(ClusterOptions options)
    {
        var section = configuration.GetSection(ClusterOptions.SectionName);
        foreach (var property in Properties)
        {
            if (section[property.Name] is { } text)
                Set(options, property, text);
        }
    }

    private void Set(ClusterOptions options, PropertyInfo property, string text)
    {
        var type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
        try
        {
            var converter = TypeDescriptor.GetConverter(type);
            property.SetValue(options, converter.ConvertFromString(null, CultureInfo.InvariantCulture, text.Trim()));
        }
        catch (Exception failure) when (failure is FormatException or ArgumentException or NotSupportedException
            or OverflowException)
        {
            // The stock converters wrap what they meet in an ArgumentException whose text does not help the reader.
            var path = $"{ClusterOptions.SectionName}:{property.Name}";
            problems.Add(path, ClusterOptionsValidator.Describe(property.Name, text, Expected(type)));
        }
    }

    private static string Expected(Type type)
    {
        if (type.IsEnum)
            return $"must be one of {string.Join(", ", Enum.GetNames(type))}";
        if (type == typeof(bool))
            return "must be true or false";
        return type == typeof(TimeSpan) ? "must be a time span such as 00:00:30" : "must be a whole number";
    }
}
