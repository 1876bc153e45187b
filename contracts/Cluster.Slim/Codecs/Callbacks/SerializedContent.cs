namespace Cluster.Slim.Codecs;

/// <summary>
/// What was read of an object whose own code completes it: for an <c>ISerializable</c> one its named values, for others
/// nothing, because their fields are filled already. Used by one thread.
/// </summary>
internal sealed class SerializedContent
{
    internal SerializedContent(TypeCallbacks? callbacks) => Callbacks = callbacks;

    internal SerializedContent(ContentRecipe recipe, string[] names, object?[] values)
        : this(recipe.Callbacks)
    {
        Recipe = recipe;
        Names = names;
        Values = values;
    }

    internal TypeCallbacks? Callbacks { get; }

    internal ContentRecipe? Recipe { get; }

    internal string[] Names { get; } = [];

    internal object?[] Values { get; } = [];

    /// <summary>Whether the object is complete; its code runs once, however often completion is tried.</summary>
    internal bool IsDone { get; set; }
}
