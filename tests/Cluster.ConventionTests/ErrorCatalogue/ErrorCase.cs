namespace Cluster.ConventionTests.ErrorCatalogue;

/// <summary>A public exception, with one of its codes if it has codes. Immutable.</summary>
/// <param name="Type">The type of the exception.</param>
/// <param name="CodeProperty">The property that has the code; null where the type has none.</param>
/// <param name="Code">The code; null where the type has none.</param>
internal sealed record ErrorCase(Type Type, PropertyInfo? CodeProperty, Enum? Code)
{
    public string Heading => Code is null ? Type.Name : $"{Type.Name}: {Code}";

    /// <summary>Makes such an exception without its constructor, because most constructors are internal.</summary>
    public Exception Create()
    {
        var exception = (Exception)RuntimeHelpers.GetUninitializedObject(Type);
        if (CodeProperty is not null)
        {
            Type.GetField($"<{CodeProperty.Name}>k__BackingField", BindingFlags.Instance | BindingFlags.NonPublic)!
                .SetValue(exception, Code);
        }

        return exception;
    }
}
