namespace Shop.Drive.Load;

/// <summary>An answer arrived, but it does not match the request. The load counts it as an error.</summary>
internal sealed class WrongReplyException(string message) : Exception(message);
