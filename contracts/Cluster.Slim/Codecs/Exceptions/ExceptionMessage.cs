namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>Reads the message that was given to an exception. Some classes append text when their message is read; this
/// text must not travel, because they would append it again. Stateless.</summary>
internal static class ExceptionMessage
{
    private static readonly bool IsReadable = CanRead();

    public static string? Of(Exception exception, bool isRebuilt) =>
        IsReadable && isRebuilt ? Field(exception) : exception.Message;

    // The only other way to this text is the obsolete serialization interface, which user classes can override.
    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_message")]
    private static extern ref string? Field(Exception exception);

    private static bool CanRead()
    {
        try
        {
            return Field(new ArgumentException("message", "parameter")) == "message";
        }
        catch (MissingFieldException)
        {
            return false;
        }
    }
}
