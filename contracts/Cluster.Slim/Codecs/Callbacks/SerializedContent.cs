using Cluster.Slim.Graph;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>What was read of an object whose own code completes it: for an <c>ISerializable</c> one its named values,
/// for others nothing, because their fields are filled already. Used by one thread.</summary>
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

    /// <summary>Whether the object is complete; its code runs once, however often completion is tried.</summary>
    public bool IsDone { get; set; }
}
