using Cluster.Slim.Graph;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Holds what was read of an object until its own code completes it: the named values of an
/// <c>ISerializable</c> object, and nothing for other objects, whose fields are filled already. Used by one
/// thread.</summary>
internal sealed class SerializedContent(TypeCallbacks? callbacks) : INamedContent
{
    public SerializedContent(ContentRecipe recipe, string[] names, object?[] values)
        : this(recipe.Callbacks)
    {
        Recipe = recipe;
        Names = names;
        Values = values;
    }

    public TypeCallbacks? Callbacks { get; } = callbacks;

    public ContentRecipe? Recipe { get; }

    public string[] Names { get; } = [];

    public object?[] Values { get; } = [];

    /// <summary>Whether the object is complete. Completion may be tried several times, but the object's code must run
    /// once.</summary>
    public bool IsDone { get; set; }
}
