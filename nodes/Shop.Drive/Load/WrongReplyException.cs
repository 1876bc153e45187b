namespace Shop.Drive.Load;

/// <summary>An answer arrived, but it is not what was asked for. The load counts it as an error.</summary>
internal sealed class WrongReplyException(string message) : Exception(message);
