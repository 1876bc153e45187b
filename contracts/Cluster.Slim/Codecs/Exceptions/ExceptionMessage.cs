namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>The message of an exception as it was given to it. What its classes append when they are asked must not
/// travel: they append it again. Stateless.</summary>
internal static class ExceptionMessage
{
    private static readonly bool IsReadable = CanRead();

    public static string? Of(Exception exception, bool isRebuilt) =>
        IsReadable && isRebuilt ? Field(exception) : exception.Message;

    // The framework has no other way to this text but the serialization interface of old, which user classes override.
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
