namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>Reads the help link that was given to an exception. A class that overrides only the getter of
/// <see cref="Exception.HelpLink"/> computes a link where none was given. A computed link does not travel, because the
/// class of the reader computes it again. Stateless.</summary>
internal static class ExceptionHelpLink
{
    private static readonly bool IsReadable = CanRead();

    public static string? Of(Exception exception, bool isComputed) =>
        IsReadable && isComputed ? Field(exception) : exception.HelpLink;

    /// <summary>Whether the class computes the link.</summary>
    public static bool IsComputedBy(Type type)
    {
        for (var level = type; level != typeof(Exception); level = level.BaseType!)
        {
            var getter = level.GetMethod(
                $"get_{nameof(Exception.HelpLink)}",
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.DeclaredOnly,
                Type.EmptyTypes);
            if (getter?.GetBaseDefinition().DeclaringType == typeof(Exception))
                return level.GetMethod($"set_{nameof(Exception.HelpLink)}", [typeof(string)])?.DeclaringType != level;
        }

        return false;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_helpURL")]
    private static extern ref string? Field(Exception exception);

    private static bool CanRead()
    {
        try
        {
            return Field(new InvalidOperationException { HelpLink = "link" }) == "link";
        }
        catch (MissingFieldException)
        {
            return false;
        }
    }
}
